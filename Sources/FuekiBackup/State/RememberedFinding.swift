/// A finding as kept in this machine's state, readable without a secret.
///
/// The state is unencrypted and readable by its owner only. It has names and codes, but no address, key or count.
public struct RememberedFinding: Codable, Equatable, Sendable {
  let kind: String
  let name: String
  let verdict: String
  let reason: String

  private static let limit = 1000
  private static let nameLimit = 200

  private init(_ finding: WalletFinding) {
    kind = finding.kind
    name = String(finding.name.prefix(Self.nameLimit))
    verdict = finding.result.verdict
    reason = finding.result.reason
  }

  /// The finding, without its detail; nil for one of a version that knows more codes.
  var finding: WalletFinding? {
    WalletFinding.Result(verdict: verdict, reason: reason).map {
      WalletFinding(kind: kind, name: name, $0)
    }
  }

  /// Returns as many findings as are kept, with urgent ones first if there are more.
  static func all(_ findings: [WalletFinding]) -> [RememberedFinding] {
    guard findings.count > limit else { return findings.map(RememberedFinding.init) }
    return findings.byUrgency.prefix(limit).map(RememberedFinding.init)
  }
}

extension VaultState {
  /// Returns the findings for an archive if it is the newest that this machine knows.
  public func findings(in digest: String) -> [WalletFinding] {
    known?.digest == digest ? wallets.compactMap(\.finding) : []
  }

  /// Remembers the findings on the backup of each wallet in the newest archive.
  public mutating func remember(_ findings: [WalletFinding]) { wallets = RememberedFinding.all(findings) }
}
