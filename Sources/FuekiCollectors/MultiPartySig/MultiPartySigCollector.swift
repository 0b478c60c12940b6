public import FuekiBackup
internal import FuekiCrypto

/// Key shares of Taurus' multi-party-sig, and those of Sygma's relayers.
public struct MultiPartySigCollector: ForeignSource {
  private let path: String

  /// The file or folder that a person named.
  public init(path: String) { self.path = path }

  /// The source as reports name it.
  public var name: String { "\(MultiPartySigFile.kind):\(path)" }

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    try ShareFileSource(kind: MultiPartySigFile.kind, path: path, what: "key share of multi-party-sig")
      .read(request) { bytes, name in try MultiPartySigFile.content(bytes, name: name) }
  }
}
