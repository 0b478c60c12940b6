internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Keyshares of sl-dkls23 as saved by its users: raw bytes, or their base64.
enum DKLSCollector {
  static let kind = "dkls23"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    let name = found.nameText
    if let content = try content(bytes, name: name) { return .wallet(content) }
    if let decoded = try bytes.withBytes({ try GuardedEncodings.base64($0) }),
      let content = try content(decoded, name: name)
    {
      return .wallet(content)
    }
    return .other(reason: "it is no keyshare of dkls23")
  }

  private static func content(_ bytes: borrowing SecretBytes, name: String) throws -> Kept? {
    var content = Kept(format: kind)
    let side: SharePublicSide
    let result: WalletFinding.Result
    if let share = bytes.withBytes({ DKLSKeyshare($0) }) {
      var found = share.side(name: name, encoding: DKLSKeyshare.encoding)
      result = try bytes.withBytes { try share.result(of: &found, $0, wanted: []) }
      side = found
    } else if let share = bytes.withBytes({ SchnorrKeyshare($0) }) {
      (side, result) = try bytes.withBytes {
        try share.proved($0, name: name, encoding: SchnorrKeyshare.encoding, wanted: [])
      }
    } else if bytes.withBytes({ DKLSKeyshare.isLikely($0) }) {
      return Kept(
        format: kind, isSecret: true, WalletFinding(kind: kind, name: name, .faulty(.length)))
    } else {
      return nil
    }
    let finding = WalletFinding(kind: kind, name: name, result, detail: ShareProof.detail(side))
    content.shares = [
      FoundShare(
        descriptor: side.descriptor, secret: SharedSecret(try bytes.copied()), finding: finding)
    ]
    return content
  }
}

extension CollectorKind {
  static let dkls = CollectorKind(
    DKLSCollector.kind, "keyshares of dkls23", reach: .folder, guide: .bareKeyShares,
    fileNames: WalletNames(possible: ["*.json"]), hasKeyShares: true, comparesEpochs: true,
    what: "keyshare of dkls23", recognises: { DKLSKeyshare.isLikely($0) && $0.count > 172 },
    look: DKLSCollector.look)
}
