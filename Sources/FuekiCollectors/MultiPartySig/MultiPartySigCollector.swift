public import FuekiBackup
internal import FuekiCrypto

/// Collects key shares of Taurus's multi-party-sig, and those of Sygma's relayers.
public struct MultiPartySigCollector: ForeignSource {
  private let path: String

  /// Creates a source for a file or directory.
  public init(path: String) { self.path = path }

  /// The source's name in reports.
  public var name: String { "\(MultiPartySigFile.kind):\(path)" }

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    try ShareFileSource(kind: MultiPartySigFile.kind, path: path, what: "key share of multi-party-sig")
      .read(request) { bytes, name in try MultiPartySigFile.content(bytes, name: name) }
  }
}
