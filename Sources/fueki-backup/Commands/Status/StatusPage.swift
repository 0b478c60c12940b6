internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The page of `status --html`.
///
/// It is self-contained, holds no secret, and runs no script except that of the table of expected vaults.
///
/// Every meaning of a colour is also in the text. For screen readers, the page has landmarks, a heading for each target
/// and vault, and tables with headers.
struct StatusPage {
  private let now: Int64
  private let rules: RetentionRules
  private let report: StatusReport
  /// Whether to fold what is well, because the page has many vaults.
  private let isLong: Bool
  private(set) var text = ""

  /// Without rules, none were given; `now` is in seconds since 1970.
  init(_ report: StatusReport, keeping rules: RetentionRules, now: Int64) {
    self.now = now
    self.report = report
    self.rules = rules
    isLong = report.targets.map(\.vaults.count).reduce(0, +) > Self.mostUnfolded
    let isWell = report.isWell && report.isComplete
    let title = "Backups of \(HostName.current)"
    text =
      HTMLHead(
        title: title, style: StatusStyle.text, viewport: "width=device-width, initial-scale=1",
        scriptDigest: report.expected.map { _ in ExpectedSection.scriptDigest }
      ).text
    text += """
      <body\(report.expected == nil ? "" : " class=\"wide\"")>
      <header>
      <h1>\(XMLText.escaped(title))</h1>
      <p class="verdict \(isWell ? "well" : "bad")">\(Self.verdict(report))</p>
      </header>
      <main>

      """
    if let expected = report.expected { text += ExpectedSection(verdicts: expected).text }
    let troubled = report.targets.filter { !$0.isFine } + report.targets.filter(\.isFine)
    for (number, target) in troubled.enumerated() { add(target, number + 1) }
    text += """
      </main>
      <footer>
      <p class="fine">As of \(XMLText.escaped(LocalTime.text(UInt64(max(0, now))))). This page does not change: \
      fueki-backup status --html FILE writes a new one.</p>
      </footer>
      </body>
      </html>

      """
  }

  /// The most vaults on a page that shows all of them unfolded.
  private static let mostUnfolded = 10

  /// The first sentences of the page.
  private static func verdict(_ report: StatusReport) -> String {
    let troubled = report.troubled.count
    let others = "\(Readable.count(troubled, "target")) of \(report.targets.count)"
    if let expected = report.expected {
      let summary = ExpectedSummary(expected, unjudged: report.unjudged).sentence
      return troubled == 0 ? summary : "\(summary) Something needs you in \(others)."
    }
    guard troubled > 0 else { return "All is well." }
    return report.targets.count == 1
      ? "Something needs you: see what is marked." : "Something needs you in \(others): see what is marked."
  }

  private mutating func add(_ target: TargetStatus, _ number: Int) {
    text += "<section aria-labelledby=\"target-\(number)\">\n"
    let heading = "<h2 id=\"target-\(number)\">\(XMLText.escaped(target.path))</h2>"
    addFolded(if: isLong && target.isFine, heading) { page in
      page.add(page.report.sentences(target.problems), marked: "Problem")
      let entries = Dictionary(grouping: target.entries) { $0.archive?.facts.vaultID }
      for vault in target.vaults.filter({ !$0.isFine }) + target.vaults.filter(\.isFine) {
        page.add(vault, entries[vault.vault] ?? [])
      }
    }
    text += "</section>\n"
  }

  private mutating func add(_ vault: VaultStatus, _ entries: [TargetEntry]) {
    let id = XMLText.escaped(String(vault.vault.hex.prefix(8)))
    let named = vault.name.map { "\(XMLText.escaped($0)) <small>vault \(id)</small>" }
    addFolded(if: isLong && vault.isFine, "<h3>\(named ?? "Vault \(id)")</h3>") { page in
      page.addContents(of: vault, entries)
    }
  }

  /// Adds a heading and what belongs to it, which a click shows where it is folded.
  private mutating func addFolded(if isFolded: Bool, _ heading: String, _ add: (inout Self) -> Void) {
    text += isFolded ? "<details>\n<summary>\(heading)</summary>\n" : "\(heading)\n"
    add(&self)
    if isFolded { text += "</details>\n" }
  }

  private mutating func addContents(of vault: VaultStatus, _ entries: [TargetEntry]) {
    // Faults in a wallet's own row are not repeated.
    add(report.sentences(vault.problems.filter { !$0.isOfWallet }), marked: "Problem")
    add(vault.missing, marked: "Missing")
    add(vault.otherMachine.map { [$0.statusSentence] } ?? [], marked: "Another machine")
    add(DeclinedKeysLines.lines(vault.declinedKeys), marked: "Decided")
    addWallets(vault.findings)
    text += "<dl>\n"
    for (kind, name) in [
      (Activity.Kind.create, "Last backup"), (.verify, "Last check"), (.drill, "Last drill"),
    ] {
      let failed = kind == .verify ? vault.failedVerification : nil
      let age = (failed ?? (kind == .create ? vault.made : vault.last[kind])).map {
        "\(failed == nil ? "" : "failed on ")\(LocalTime.text(UInt64(max(0, $0)))), \(Readable.ago(now - $0))"
      }
      text += "<div><dt>\(name)</dt><dd>\(XMLText.escaped(age ?? "never"))</dd></div>\n"
    }
    text += "</dl>\n"
    guard !entries.isEmpty else { return }
    addTimeline(entries)
    addArchives(entries)
  }

  // MARK: wallets

  /// Adds the findings on the backup of each wallet, with urgent ones first, and the hazards.
  private mutating func addWallets(_ findings: [WalletFinding]) {
    guard !findings.isEmpty else { return }
    text += "<table class=\"wallets\">\n<caption>Wallets in the newest archive</caption>\n"
    text +=
      "<thead><tr><th scope=\"col\">Wallet</th><th scope=\"col\">What its backup is worth</th></tr></thead>\n"
    text += "<tbody>\n"
    for finding in findings.byUrgency {
      let name = "\(finding.kind) “\(finding.name)”"
      let dangers = finding.hazards.map {
        "<p><b>Dangerous when old or running twice:</b> \(XMLText.escaped($0.danger))</p>"
      }
      text +=
        "<tr><th scope=\"row\">\(XMLText.escaped(name))</th><td><span class=\"\(finding.result.style)\">"
        + "\(XMLText.escaped(finding.result.sentence))</span>\(dangers.joined())</td></tr>\n"
    }
    text += "</tbody>\n</table>\n"
  }

  // MARK: archives

  private mutating func addArchives(_ entries: [TargetEntry]) {
    let known = entries.filter { $0.archive != nil }
    let reasons = rules.isEmpty ? [] : rules.reasons(toKeep: known.map(\.dated), now: now)
    let columns = ["Number", "Made", "Size", "State"] + (rules.isEmpty ? [] : ["By the rules"])
    text += "<table class=\"archives\">\n<caption>Archives</caption>\n<thead><tr>"
    text += columns.map { "<th scope=\"col\">\($0)</th>" }.joined() + "</tr></thead>\n<tbody>\n"
    let newest = known.map(\.dated.sequence).max()
    for (place, entry) in known.enumerated() {
      let dated = entry.dated
      var cells = [LocalTime.text(dated.created), Readable.bytes(entry.byteCount), entry.state.rawValue]
      if !rules.isEmpty {
        let why = reasons[place].map(\.sentence) + (dated.sequence == newest ? ["the newest"] : [])
        cells.append(why.isEmpty ? "would be removed" : "kept: \(why.joined(separator: ", "))")
      }
      text += "<tr><th scope=\"row\">\(dated.sequence)</th>"
      text += cells.map { "<td>\(XMLText.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    text += "</tbody>\n</table>\n"
    text +=
      rules.isEmpty
      ? "<p class=\"fine\">No rules were given, such as --keep-daily 7: what prune would keep is not shown.</p>\n"
      : "<p class=\"fine\">Nothing was removed. Whatever the rules say, prune keeps the newest archive that verifies.</p>\n"
  }

  /// The archives on a line of time, which ends now.
  private mutating func addTimeline(_ entries: [TargetEntry]) {
    let times = entries.compactMap { $0.archive.map { Double($0.facts.created) } }
    guard let first = times.min(), let last = times.max() else { return }
    let (start, end) = (first, max(Double(now), last))
    let (from, to) = (LocalTime.text(UInt64(first)), LocalTime.text(UInt64(last)))
    let label = "\(Readable.count(times.count, "archive")), from \(from) to \(to)"
    text += "<figure>\n<svg viewBox=\"0 0 620 30\" role=\"img\" aria-label=\"\(XMLText.escaped(label))\">"
    text += "<line x1=\"10\" y1=\"15\" x2=\"610\" y2=\"15\"/>"
    // Draw incomplete archives last, so that they stay visible among others.
    for entry in entries.filter({ $0.state == .complete }) + entries.filter({ $0.state != .complete }) {
      guard let created = entry.archive?.facts.created else { continue }
      let share = end > start ? (Double(created) - start) / (end - start) : 1
      let place = 10 + Int((600 * share).rounded())
      text += "<circle cx=\"\(place)\" cy=\"15\" r=\"6\"\(entry.state == .complete ? "" : " class=\"bad\"")/>"
    }
    text += "</svg>\n<figcaption>\(XMLText.escaped(label)). The line ends now</figcaption>\n</figure>\n"
  }

  private mutating func add(_ sentences: [String], marked mark: String) {
    guard !sentences.isEmpty else { return }
    let items = sentences.map { "<li><b>\(mark):</b> \(XMLText.escaped($0))</li>" }
    text += "<ul>\n\(items.joined(separator: "\n"))\n</ul>\n"
  }
}

extension WalletFinding {
  /// The hazards of every wallet of its kind.
  fileprivate var hazards: [WalletHazard] {
    (try? CollectorKind(named: kind))?.hazards ?? WalletHazard.ofKind(kind)
  }
}

extension WalletFinding.Result {
  fileprivate var style: String {
    switch self {
    case .proved: "well"
    case .notProved, .publicPart: "doubt"
    case .withoutSeed, .faulty: "bad"
    }
  }
}

/// How the page of `status` looks: readable at 400 pixels and in print, dark and light.
///
/// Names are broken anywhere rather than make the page wider; the words in the table of archives are whole.
enum StatusStyle {
  static let text = """
    :root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --line: #8a8a8a; --well: #0b6b2e; --doubt: #7a4d00; --bad: #a3180c; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #ececec; --paper: #16181b; --line: #8f949b; --well: #6fd08c; --doubt: #f0c060; --bad: #ff9a8a; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
    header, main, footer { max-width: 44rem; margin: 0 auto; padding: 0 1rem; }
    h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; } h3 { font-size: 1rem; } h3 small { font-weight: normal; }
    summary h2, summary h3 { display: inline; } summary { margin: 0.5rem 0; }
    .wide header, .wide main, .wide footer { max-width: 68rem; }
    .expected p { margin: 0; } .expected td, .expected th { overflow-wrap: anywhere; } .expected tr > :first-child { min-width: 5rem; }
    @media (min-width: 60rem) { .expected th:first-child, .expected td:last-child { white-space: nowrap; } }
    .tools input { font: inherit; width: 16rem; max-width: 60%; }
    th button { font: inherit; font-weight: bold; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-decoration: underline dotted; }
    th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
    h1, h2, h3, p, li, dd, .wallets td, .wallets th { overflow-wrap: anywhere; }
    section { border-top: 1px solid var(--line); }
    .verdict { font-weight: bold; font-size: 1.1rem; }
    .well { color: var(--well); } .doubt { color: var(--doubt); } .bad, li b, td b { color: var(--bad); }
    .fine, figcaption { font-size: 0.85rem; }
    ul { padding-left: 1.2rem; }
    dl div { display: flex; gap: 1rem; } dt { flex: 0 0 7rem; } dd { margin: 0; }
    figure { margin: 1rem 0; }
    svg { width: 100%; height: auto; display: block; }
    svg line { stroke: var(--line); stroke-width: 2; } svg circle { fill: var(--well); stroke: var(--paper); stroke-width: 1.5; }
    svg circle.bad { fill: var(--bad); }
    table { width: 100%; border-collapse: collapse; font-size: 0.9rem; margin: 1rem 0; }
    caption { text-align: left; font-weight: bold; padding-bottom: 0.25rem; } tbody th { font-weight: normal; }
    th, td { text-align: left; padding: 0.25rem 0.5rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    .archives td:nth-child(2) { min-width: 11ch; } .archives td:nth-child(3) { white-space: nowrap; }
    @media (min-width: 36rem) { .archives td:nth-child(2) { white-space: nowrap; } }
    @media (max-width: 30rem) { table { font-size: 0.8rem; } th, td { padding-right: 0.35rem; } }
    @media print {
      :root { --ink: #000; --paper: #fff; --well: #000; --doubt: #000; --bad: #000; }
      h2, h3, caption, thead { break-after: avoid; } ul, dl, figure, tr { break-inside: avoid; }
    }

    """
}
