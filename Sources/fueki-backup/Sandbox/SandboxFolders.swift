internal import FuekiSystem

/// The directories that were made because a sandbox would not permit it later.
enum SandboxFolders {
  private static let made = Locked<[MadeFolders]>([])

  /// Remembers directories for ``removeEmpty()``.
  static func keep(_ folders: [MadeFolders]) { made.withLock { $0 += folders } }

  /// Removes those that are still empty.
  static func removeEmpty() {
    let folders = made.withLock { made in
      defer { made = [] }
      return made
    }
    for folder in folders { folder.removeEmpty() }
  }
}
