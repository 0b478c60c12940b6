public import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Monero's wallets.
  static let monero = CollectorKind(
    MoneroCollector.kind, "wallets of Monero: .keys and the files beside them", folders: true,
    recognises: { _ in false }, make: { path, _, _ in MoneroCollector(path: path) })
}

/// Wallets of Monero's own programs and of Feather, kept byte for byte and not opened.
///
/// `NAME.keys` holds the keys, encrypted; `NAME` beside it is a cache that a scan makes anew. Opening the keys takes
/// CryptoNight, which is not computed here, so of their wholeness only the length is known.
public struct MoneroCollector: ForeignSource {
  static let kind = "monero"
  static let keysFormat = "monero-keys"
  static let cacheFormat = "monero-cache"

  private static let nonceByteCount = 8
  private static let ending = ".keys"

  private let path: String

  /// The file or folder that a person named.
  public init(path: String) { self.path = path }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    try FileWalk(path: path).forEach(into: &records) { found, records in
      let name = found.nameText
      let isKeys = name.hasSuffix(Self.ending)
      guard isKeys || isBesideKeys(found.path) || name.hasSuffix(".address.txt") else {
        return records.exclude(name, "no file of a Monero wallet", loss: .none)
      }
      guard found.status.size <= UInt64(ImportLimits.walletByteCount) else {
        return records.exclude(
          name,
          isKeys
            ? "longer than any wallet's keys: take it as file:PATH"
            : "longer than \(ImportLimits.walletByteCount >> 20) MiB: a cache, which the wallet makes anew",
          loss: isKeys ? .possible : .none)
      }
      let content = try found.file.readAll(limit: ImportLimits.walletByteCount)
      KeptFile(source: Self.kind, format: isKeys ? Self.keysFormat : Self.cacheFormat, program: Self.kind)
        .keep(content, of: found, in: &records)
      guard isKeys else { return }
      records.findings.append(
        WalletFinding(
          kind: Self.kind, name: name, Self.isWhole(content) ? .notProved(.notRead) : .faulty(.length)))
    }
    if records.findings.isEmpty { try records.foundNothing(at: path, "no keys of a Monero wallet are there") }
    records.keepOnly(request)
    return records
  }

  /// Whether the wallet's keys lie beside a file, which is then its cache.
  private func isBesideKeys(_ path: [UInt8]) -> Bool {
    (try? File.openRegular(path + Array(Self.ending.utf8))) != nil
  }

  /// A nonce, a length, and so many bytes: then nothing is cut off.
  package static func isWhole(_ keys: [UInt8]) -> Bool {
    var reader = LittleEndianReader(keys[...])
    guard reader.take(nonceByteCount) != nil, let count = reader.length(), count > 0 else { return false }
    return reader.take(count) != nil && reader.isAtEnd
  }
}
