internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects the recovery kit of an institution at Fireblocks: a ZIP file of encrypted key shares.
///
/// Its shares together are the whole key. They are never combined here, so the proof is limited to the kit's
/// integrity and a share for each party.
enum FireblocksCollector {
  static let kind = "fireblocks"

  private static let entryLimit = 4096
  private static let entryByteCountLimit = 8 << 20
  private static let cloudShares = 2

  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    OWNDCollector.isZIP(beginning) && beginning.contains("metadata.json") && beginning.contains("MOBILE_")
  }

  fileprivate static func content(
    _ bytes: Span<UInt8>, name: String, work: WorkBudget
  ) throws -> Kept? {
    guard OWNDCollector.isZIP(bytes) else { return nil }
    var content = Kept(format: "fireblocks-kit")
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
      // Directories, and entries added by a system's archiver.
      guard let last = text.split(separator: "/", omittingEmptySubsequences: false).last, !last.isEmpty else {
        continue
      }
      do {
        let whole = try ZIPArchive.content(of: entry, in: bytes, limit: entryByteCountLimit, work: work)
        if last == "metadata.json" { metadata = whole.withBytes { $0.copied() } }
        // A kit that also contains the key for its shares is a secret.
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
    try work.spend(keys.count, on: .findings)
    let clouds = countedClouds(among: names)
    for key in keys {
      let isWhole = clouds[key.id, default: 0] >= cloudShares && names.contains("MOBILE_\(key.id)")
      // The shares stay sealed here, so nothing shows that they open.
      finding(isWhole ? .notProved(.needsPassword) : .faulty(.quorum), key.publicKey)
    }
    return content
  }

  /// Counts the cloud parties' shares of each key id.
  ///
  /// Their names are `NUMBER_ID`.
  private static func countedClouds(among names: Set<String>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for name in names {
      guard let mark = name.firstIndex(of: "_"), name[..<mark].allSatisfy(\.isNumber) else { continue }
      counts[String(name[name.index(after: mark)...]), default: 0] += 1
    }
    return counts
  }

  /// Returns the kit's keys.
  ///
  /// The first kits had one, at the top level.
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
    FireblocksCollector.kind, "recovery kits of Fireblocks (ZIP)", reach: .folder, guide: .wholeKits,
    programs: [
      WalletProgram(
        id: "fireblocks-export", title: "Fireblocks recovery kit",
        places: [.export("*ireblocks*.zip", kind: "fireblocks", .always)])
    ],
    fileNames: WalletNames(certain: ["*ireblocks*.zip"], possible: ["*.zip"]), comparesEpochs: true,
    what: "recovery kit of Fireblocks", recognises: { FireblocksCollector.isLikely($0) },
    look: { found, asked in
      Look(
        try found.bytes().withBytes {
          try FireblocksCollector.content($0, name: found.nameText, work: asked.work)
        }, or: asked)
    })
}
