public import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// The recovery kit that an institution downloads from Fireblocks: a ZIP file of encrypted key shares.
///
/// Its shares together are the whole key. They are never put together here, so that it is proved only that the kit is
/// whole and has a share of each party.
public struct FireblocksCollector: ForeignSource {
  static let kind = "fireblocks"

  private static let entryLimit = 4096
  private static let entryByteCountLimit = 8 << 20
  private static let cloudShares = 2

  private let path: String

  /// The file or folder that a person named.
  public init(path: String) { self.path = path }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    try ShareFileSource(kind: Self.kind, path: path, what: "recovery kit of Fireblocks")
      .read(request) { bytes, name in try bytes.withBytes { try Self.content($0, name: name) } }
  }

  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    OWNDCollector.isZIP(beginning) && beginning.contains("metadata.json") && beginning.contains("MOBILE_")
  }

  private static func content(_ bytes: Span<UInt8>, name: String) throws -> ShareFileContent? {
    guard OWNDCollector.isZIP(bytes) else { return nil }
    var content = ShareFileContent(format: "fireblocks-kit")
    content.program = kind
    content.isSecret = false
    func finding(_ result: WalletFinding.Result, _ detail: String = "") {
      content.findings.append(WalletFinding(kind: kind, name: name, result, detail: detail))
    }
    let archive: ZIPArchive
    do throws(ZIPError) {
      archive = try ZIPArchive(bytes, entryLimit: entryLimit)
    } catch {
      finding(error == .unsupported ? .notProved(.notRead) : .faulty(.malformed))
      content.problems.append(error.sentence)
      return content
    }
    var (metadata, names) = ([UInt8]?.none, Set<String>())
    for entry in archive.entries {
      let text = String(decoding: entry.name, as: UTF8.self)
      // Folders, and what a system's archiver adds of its own.
      guard let last = text.split(separator: "/", omittingEmptySubsequences: false).last, !last.isEmpty else {
        continue
      }
      do {
        let whole = try ZIPArchive.content(of: entry, in: bytes, limit: entryByteCountLimit)
        if last == "metadata.json" { metadata = whole.withBytes { $0.copied() } }
        // The key that opens the shares has no place beside them, and makes the kit a secret.
        if whole.withBytes({ $0.contains("PRIVATE KEY-----") }) {
          content.isSecret = true
          content.sharesAreAll = false
        }
        names.insert(String(last))
      } catch let error as ZIPError {
        finding(.faulty(error == .wrongChecksum ? .checksum : .malformed), String(last))
      }
    }
    guard let metadata else {
      guard names.contains(where: { $0.hasPrefix("MOBILE_") }) || !content.findings.isEmpty else {
        return nil
      }
      finding(.faulty(.malformed), "metadata.json")
      return content
    }
    guard let root = try? JSONDocument(metadata, limit: entryByteCountLimit).root else {
      finding(.faulty(.malformed), "metadata.json")
      return content
    }
    let keys = keys(root)
    if keys.isEmpty { finding(.notProved(.nothingToCompare)) }
    for key in keys {
      let clouds = names.filter { name in
        name.hasSuffix("_\(key.id)") && name.dropLast(key.id.utf8.count + 1).allSatisfy(\.isNumber)
      }
      let isWhole = clouds.count >= cloudShares && names.contains("MOBILE_\(key.id)")
      finding(isWhole ? .proved(.wholeness) : .faulty(.quorum), key.publicKey)
    }
    return content
  }

  /// The keys that the kit is of; the first kits had one, and named it at the top.
  private static func keys(_ root: JSONValue) -> [(id: String, publicKey: String)] {
    if let id = root.member("keyId")?.string {
      return [(id, root.member("publicKey")?.string ?? "")]
    }
    guard let keys = root.member("keys") else { return [] }
    return keys.children.map { ($0.name, $0.member("publicKey")?.string ?? "") }
  }
}

extension CollectorKind {
  static let fireblocks = CollectorKind(
    FireblocksCollector.kind, "recovery kits of Fireblocks (ZIP)", reach: .folder,
    recognises: { FireblocksCollector.isLikely($0) }, make: { path, _, _ in FireblocksCollector(path: path) })
}
