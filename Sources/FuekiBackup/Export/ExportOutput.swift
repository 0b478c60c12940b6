/// A directory that an export becomes, whatever is written into it.
public protocol ExportOutput: Destination {
  /// The paths, below the directory, of files of which the archive has not every part, once finished.
  var incompleteFiles: [String] { get }
  /// The files written under other names than their own, sorted; complete once finished.
  var renamedFiles: [RenamedFile] { get }
  /// Whether the directory's file system keeps permissions.
  ///
  /// Anyone who has a disk without them can read and change the files on it.
  var keepsPermissions: Bool { get }
  /// The keychain for secrets in the clear; nil if the format has no place for them.
  var keychain: (any KeychainAccess)? { get }
  /// Makes the directory that becomes the export, before anything is read.
  ///
  /// - Returns: its path, and that of the parent folder.
  /// - Throws: system errors.
  func prepare() throws -> (path: String, parent: String)
}

extension ExportDestination: ExportOutput {
  /// Secrets, each a file of its own.
  public var keychain: (any KeychainAccess)? { secrets }
}

extension ExportOutput {
  /// Always empty: the format has no files of other programs.
  public var renamedFiles: [RenamedFile] { [] }
}
