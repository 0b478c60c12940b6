internal import FuekiBackup

/// What the backup of each wallet is worth, one line each.
enum FindingLines {
  private static let limit = 100

  /// What does not fit is a warning, which no option hides.
  static func print(_ findings: [WalletFinding], _ console: Console) {
    for finding in findings where finding.isFaulty { console.warning(finding.line) }
    for line in lines(findings.filter { !$0.isFaulty }) { console.report(line) }
  }

  /// What comes back, and what it is worth.
  static func print(restored findings: [WalletFinding], _ console: Console) {
    for finding in findings where finding.isFaulty {
      console.warning("when it was backed up: \(finding.line)")
    }
    let others = lines(findings.filter { !$0.isFaulty })
    if !others.isEmpty { console.report("what the wallets were worth when they were backed up:") }
    for line in others { console.report("  \(line)") }
  }

  /// As many lines as a person reads; the documents have all of them.
  static func lines(_ findings: [WalletFinding], limit: Int = limit) -> [String] {
    let chosen = findings.count > limit ? Array(findings.byUrgency.prefix(limit)) : findings
    let more = findings.count - chosen.count
    return chosen.map(\.line) + (more > 0 ? ["and \(more) more wallets (--json lists all)"] : [])
  }
}

/// What the backup of a wallet is worth, in JSON.
struct FindingDocument: Encodable {
  let kind: String
  let name: String
  let verdict: String
  let reason: String
  let detail: String

  init(_ finding: WalletFinding) {
    kind = finding.kind
    name = finding.name
    verdict = finding.result.verdict
    reason = finding.result.reason
    detail = finding.detail
  }
}

/// What this machine remembers of what the backup of a wallet is worth, in JSON.
struct RememberedFindingDocument: Encodable {
  let kind: String
  let name: String
  let verdict: String
  let reason: String

  init(_ finding: WalletFinding) {
    kind = finding.kind
    name = finding.name
    verdict = finding.result.verdict
    reason = finding.result.reason
  }
}
