/// The files of a folder, as rclone listed them.
struct RcloneListing {
  let files: [RcloneItem]
  /// Whether there are folders in it whose files were not listed.
  let hasUnlistedFolders: Bool

  /// For fewer files, a listing costs more than it saves.
  private static let fewFiles = 16

  /// Whether another listing costs less than to ask the remote about each of so many files.
  ///
  /// rclone's server lists folders with everything below them, and does not ask about listed files.
  func sparesRequests(for count: Int) -> Bool {
    !hasUnlistedFolders && count >= Self.fewFiles && 2 * count >= files.count
  }
}
