/// The description of a file or folder from `rclone lsjson`.
struct RcloneItem: Decodable, Sendable {
  let name: String
  /// The path below the listed folder; nil in the description of one file.
  let path: String?
  /// Negative where the remote does not say.
  let size: Int64
  let isFolder: Bool

  /// The path below the folder, or the only name.
  var below: String { path ?? name }

  enum CodingKeys: String, CodingKey {
    case name = "Name"
    case path = "Path"
    case size = "Size"
    case isFolder = "IsDir"
  }
}
