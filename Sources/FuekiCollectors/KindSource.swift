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

  func read(_ request: CollectionRequest) throws -> ImportedRecords { try kind.read(self, request) }

  /// Whether the path is a directory that can be opened.
  var isFolder: Bool { (try? Directory.open(path)) != nil }

  /// Returns all files of the path, of which destroyed wallets are kept.
  func walk(_ request: CollectionRequest) -> FileWalk { FileWalk(path: path, destroyed: destroyed(request)) }

  func destroyed(_ request: CollectionRequest) -> DestroyedFiles {
    DestroyedFiles(kind: kind, request: request)
  }

  /// Returns the password for proofs, which are only made for backups.
  func proofPassword(_ request: CollectionRequest) -> AskedPassword {
    AskedPassword(request.isForBackup ? passphrase : nil, work: request.work)
  }

  /// Returns the path's single file.
  func file(limit: Int) -> SourceFile { SourceFile(path: path, byteCountLimit: limit) }

  /// Returns the path's key share files; `what` is the kind of file, for messages after "no".
  func shares(_ what: String, limit: Int = ImportLimits.walletByteCount) -> ShareFileSource {
    ShareFileSource(kind: kind.name, path: path, byteCountLimit: limit, what: what)
  }
}
