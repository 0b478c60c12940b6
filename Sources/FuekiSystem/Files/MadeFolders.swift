/// The missing directories of a path, created before a process gives up the right to do so.
///
/// Those that stay empty are removed in the end.
public struct MadeFolders: Sendable {
  private let made: [String]

  /// Creates a directory and its missing parents, with access for this user only.
  public init(_ path: String) throws(SystemError) {
    var missing: [String] = []
    var folder = path
    while (try? FileStatus.of(folder)) == nil, PathParts(folder).folder != folder {
      missing.append(folder)
      folder = PathParts(folder).folder
    }
    try Directory.makePrivateDirectories(path)
    made = missing
  }

  /// The existing directory above those that were created; nil if none was.
  public var parent: String? { made.last.map { PathParts($0).folder } }

  /// Removes the created directories that are empty.
  public func removeEmpty() {
    for path in made {
      let parts = PathParts(path)
      guard let folder = try? Directory.open(parts.folder) else { continue }
      try? folder.removeDirectory(parts.name)
    }
  }
}
