public import FuekiBackup
internal import FuekiWallet

/// A source of another program's files, parsed to records.
///
/// The same records are used for a backup (`create --from`) and for the wallet's own store (`import`).
public protocol ForeignSource: Collector {
  /// The kind of its files.
  var kind: CollectorKind { get }
  /// The file or directory.
  var path: String { get }
  /// Reads the files' requested contents.
  ///
  /// - Throws: errors that prevent reading the source at all; those of single files are in the records'
  ///   report.
  func read(_ request: CollectionRequest) throws -> ImportedRecords
}

extension ForeignSource {
  /// Adds the records and one report to a bundle.
  public func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
    var request = request
    request.isForBackup = true
    request.work = WorkBudget()
    try recordsOrFiles(request).add(to: &bundle, source: name)
  }

  /// Returns the files' contents or, if parsing exceeds the budget, the unread files.
  func recordsOrFiles(_ request: CollectionRequest) throws -> ImportedRecords {
    do {
      return try read(request)
    } catch  where UnreadFiles.takes(error, request) {
      return try UnreadFiles(kind: kind.name, path: path, request: request).keepAll(kind.reach)
    }
  }
}
