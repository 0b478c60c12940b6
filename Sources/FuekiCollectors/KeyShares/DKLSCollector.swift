internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Collects keyshares of sl-dkls23 as saved by its users: raw bytes, or their base64.
enum DKLSCollector {
  static let kind = "dkls23"

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    try source.shares("keyshare of dkls23").read(request) {
      bytes, name in
      if let content = try Self.content(bytes, name: name) { return content }
      guard let decoded = try bytes.withBytes({ try GuardedEncodings.base64($0) }) else { return nil }
      return try Self.content(decoded, name: name)
    }
  }

  private static func content(_ bytes: borrowing SecretBytes, name: String) throws -> ShareFileContent? {
    var content = ShareFileContent(format: kind)
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
      return ShareFileContent(
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
    fileNames: WalletNames(possible: ["*.json"]), hasKeyShares: true,
    recognises: { DKLSKeyshare.isLikely($0) && $0.count > 172 }, read: DKLSCollector.read)
}
