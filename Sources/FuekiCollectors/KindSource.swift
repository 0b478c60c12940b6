internal import FuekiBackup
internal import FuekiSystem

/// A path whose files are read as those of a kind, by this process.
struct KindSource: ForeignSource {
  let kind: CollectorKind
  let path: String
  /// Asks for the password of encrypted files.
  var passphrase: SourcePassphrase?
  /// Copies files that their programs may be writing.
  var copying: FileCopying?

  var name: String { "\(kind.name):\(path)" }

  func read(_ request: CollectionRequest) throws -> ImportedRecords {
    try SourceReading(source: self, request: request).read()
  }

  /// Whether the path is a directory that can be opened.
  var isFolder: Bool { (try? Directory.open(path)) != nil }
}
