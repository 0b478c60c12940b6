internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let tssLib = CollectorKind(
    TssLibCollector.kind, "key share files of bnb-chain/tss-lib", reach: .folder, guide: .bareKeyShares,
    fileNames: WalletNames(possible: ["*.json"]), limit: ImportLimits.tssShareByteCount, what: "key share",
    recognises: { $0.contains("\"ShareID\"") || $0.contains("\"Xi\"") }, look: TssLibCollector.look)
}

/// Key share files of bnb-chain's tss-lib.
///
/// A file's bytes are the share's secret, and read directly into protected memory. Its public part is
/// described from its public members, and the secret is compared with the party's public point. The files do
/// not state the threshold, which stays unknown.
enum TssLibCollector {
  static let byteCountLimit = ImportLimits.tssShareByteCount
  static let kind = "tss-lib"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    let name = found.nameText
    do {
      let share = try bytes.withBytes { try TssLibShare($0, name: name, byteCountLimit: byteCountLimit) }
      var kept = Kept(format: "tss-lib-json")
      kept.shares = [
        try FoundShare(
          judging: share.descriptor, SharedSecret(bytes), encodings: [.tssLib], faults: share.publicProblems,
          asked)
      ]
      kept.problems = share.problems
      return .wallet(kept)
    } catch TssLibShare.Refusal.otherFile(let reason) {
      return .other(reason: reason)
    } catch TssLibShare.Refusal.damaged(let reason) {
      var kept = Kept(
        format: "tss-lib-json", isSecret: true, asked.finding(name, .faulty(.malformed)))
      kept.problems = [reason]
      return .wallet(kept)
    }
  }
}
