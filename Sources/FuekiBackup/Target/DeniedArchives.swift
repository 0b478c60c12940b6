internal import FuekiArchive
internal import FuekiSystem

/// Archives that belong to another user, so that the system lets this one not read them: those of an old machine's disk.
public struct DeniedArchives: Equatable, Sendable {
  /// The folder that they are in.
  public let folder: String
  /// The id of the user that they belong to; nil if they belong to several.
  public let owner: UInt32?
  /// How many they are; nil if the folder itself cannot be read.
  public let count: Int?

  package init(folder: String, owner: UInt32?, count: Int?) {
    (self.folder, self.owner, self.count) = (folder, owner, count)
  }

  /// Those of a folder's files that cannot be read for lack of permission; nil if there are none.
  package init?(of entries: [TargetEntry], in target: Target) {
    let denied = entries.filter { $0.readError?.isNotPermitted ?? false }
    guard !denied.isEmpty else { return nil }
    let owners = Set(denied.map(\.owner))
    (folder, owner, count) = (
      target.path, owners.count == 1 ? owners.first.flatMap(\.self) : nil, denied.count
    )
  }

  /// The folder, if an error says that this user may not read it.
  init?(_ error: any Error, of target: Target) {
    guard let error = error as? SystemError, error.isNotPermitted, target.kind != .rclone else { return nil }
    self.init(folder: target.path, owner: (try? FileStatus.of(target.path))?.owner, count: nil)
  }
}
