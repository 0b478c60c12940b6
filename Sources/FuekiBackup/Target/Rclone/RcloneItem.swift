/// The description of a file or folder from `rclone lsjson`.
struct RcloneItem: Decodable, Sendable {
  let name: String
  /// Negative where the remote does not say.
  let size: Int64
  let isFolder: Bool

  enum CodingKeys: String, CodingKey {
    case name = "Name"
    case size = "Size"
    case isFolder = "IsDir"
  }
}
