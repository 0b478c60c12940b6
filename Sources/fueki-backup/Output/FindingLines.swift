internal import FuekiBackup

/// The findings on the backup of each wallet, one line each.
enum FindingLines {
  private static let limit = 100

  /// Prints findings.
  ///
  /// A mismatch is a warning, which no option hides.
  static func print(_ findings: [WalletFinding], _ console: Console) {
    for finding in findings where finding.isFaulty { console.warning(finding.line) }
    guard !console.isQuiet else { return }
    print(findings.filter { !$0.isFaulty }, indentedBy: 0, console)
  }

  /// Prints a readable number of lines, each in the colour of its verdict.
  static func print(_ findings: [WalletFinding], indentedBy indent: Int, _ console: Console) {
    let blanks = String(repeating: " ", count: indent)
    let chosen = chosen(findings)
    for finding in chosen { console.line(blanks + finding.line, finding.result.tone) }
    if findings.count > chosen.count { console.line(blanks + more(findings.count - chosen.count)) }
  }

  /// Prints the findings on restored wallets.
  static func print(restored findings: [WalletFinding], _ console: Console) {
    for finding in findings where finding.isFaulty {
      console.warning("when it was backed up: \(finding.line)")
    }
    let others = lines(findings.filter { !$0.isFaulty })
    if !others.isEmpty { console.report("what the backup of each wallet was worth when it was made:") }
    for line in others { console.report("  \(line)") }
  }

  /// Returns a readable number of lines.
  ///
  /// The documents have all of them.
  static func lines(_ findings: [WalletFinding], limit: Int = limit) -> [String] {
    let chosen = chosen(findings, limit)
    let rest = findings.count - chosen.count
    return chosen.map(\.line) + (rest > 0 ? [more(rest)] : [])
  }

  private static func chosen(_ findings: [WalletFinding], _ limit: Int = limit) -> [WalletFinding] {
    findings.count > limit ? Array(findings.byUrgency.prefix(limit)) : findings
  }

  private static func more(_ count: Int) -> String {
    "and \(Readable.count(count, "more wallet")) (--json lists all)"
  }
}

extension WalletFinding.Result {
  fileprivate var tone: Tone {
    switch self {
    case .proved: .good
    case .notProved, .publicPart: .plain
    case .withoutSeed: .doubtful
    case .faulty: .bad
    }
  }
}

/// A finding on the backup of a wallet, in JSON.
struct FindingDocument: Encodable {
  let kind: String
  let name: String
  let verdict: String
  let reason: String
  /// Missing from this machine's state.
  let detail: String?

  init(_ finding: WalletFinding) { self.init(finding, detail: finding.detail) }

  /// Returns a finding from this machine's state, which has no detail.
  static func remembered(_ finding: WalletFinding) -> FindingDocument {
    FindingDocument(finding, detail: nil)
  }

  private init(_ finding: WalletFinding, detail: String?) {
    kind = finding.kind
    name = finding.name
    verdict = finding.result.verdict
    reason = finding.result.reason
    self.detail = detail
  }
}
