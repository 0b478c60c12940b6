internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `status --html`: one page for people who would rather look; it needs nothing else, runs nothing and holds no secret.
///
/// Whatever a colour says stands there as a word too.
struct StatusPage {
  private let now: Int64
  private(set) var text = ""

  init(_ reports: [TargetStatus], now: Int64) {
    self.now = now
    let isWell = reports.allSatisfy { $0.isWell && $0.isComplete }
    let title = "Backups of \(HostName.current)"
    text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="referrer" content="no-referrer">
      <title>\(XMLText.escaped(title))</title>
      <style>
      \(StatusStyle.text)</style>
      </head>
      <body>
      <main>
      <h1>\(XMLText.escaped(title))</h1>
      <p class="verdict \(isWell ? "well" : "bad")">\(isWell ? "All is well." : "Something needs you: see what is marked.")</p>
      <p class="fine">As of \(XMLText.escaped(LocalTime.text(UInt64(max(0, now))))). \
      A later look is another page: fueki-backup status --html FILE.</p>

      """
    for report in reports { add(report) }
    text += "</main>\n</body>\n</html>\n"
  }

  private mutating func add(_ report: TargetStatus) {
    text += "<section>\n<h2>\(XMLText.escaped(report.path))</h2>\n"
    add(report.problems, marked: "Problem")
    for vault in report.vaults {
      let entries = report.entries.filter {
        $0.archive.map { Hex.encode($0.facts.vaultID) } == vault.vault
      }
      add(vault, entries)
    }
    text += "</section>\n"
  }

  private mutating func add(_ vault: VaultStatus, _ entries: [TargetEntry]) {
    text += "<h3>Vault \(XMLText.escaped(String(vault.vault.prefix(8))))</h3>\n"
    add(vault.problems, marked: "Problem")
    add(vault.missing, marked: "Missing")
    text += "<dl>\n"
    for (kind, name) in [
      (Activity.Kind.create, "Last backup"), (.verify, "Last check"), (.drill, "Last drill"),
    ] {
      let age = vault.last[kind].map {
        "\(LocalTime.text(UInt64(max(0, $0)))), \(Readable.age(now - $0)) ago"
      }
      text += "<div><dt>\(name)</dt><dd>\(XMLText.escaped(age ?? "never"))</dd></div>\n"
    }
    text += "</dl>\n"
    guard !entries.isEmpty else { return }
    addTimeline(entries)
    text +=
      "<table>\n<thead><tr><th>Number</th><th>Made</th><th>Size</th><th>State</th></tr></thead>\n<tbody>\n"
    for entry in entries {
      guard let facts = entry.archive?.facts else { continue }
      let cells = [
        "\(facts.sequence)", LocalTime.text(facts.created), Readable.bytes(entry.byteCount),
        entry.state.rawValue,
      ]
      text += "<tr>" + cells.map { "<td>\(XMLText.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    text += "</tbody>\n</table>\n"
  }

  /// The archives on a line of time, which ends now.
  private mutating func addTimeline(_ entries: [TargetEntry]) {
    let times = entries.compactMap { $0.archive.map { Double($0.facts.created) } }
    guard let first = times.min(), let last = times.max() else { return }
    let (start, end) = (first, max(Double(now), last))
    let (from, to) = (LocalTime.text(UInt64(first)), LocalTime.text(UInt64(last)))
    let label = "\(times.count) archive\(times.count == 1 ? "" : "s"), from \(from) to \(to)"
    text += "<figure>\n<svg viewBox=\"0 0 620 30\" role=\"img\" aria-label=\"\(XMLText.escaped(label))\">"
    text += "<line x1=\"10\" y1=\"15\" x2=\"610\" y2=\"15\"/>"
    for entry in entries {
      guard let created = entry.archive?.facts.created else { continue }
      let share = end > start ? (Double(created) - start) / (end - start) : 1
      let place = 10 + Int((600 * share).rounded())
      text += "<circle cx=\"\(place)\" cy=\"15\" r=\"6\"\(entry.state == .complete ? "" : " class=\"bad\"")/>"
    }
    text += "</svg>\n<figcaption>\(XMLText.escaped(label)); the line ends now</figcaption>\n</figure>\n"
  }

  private mutating func add(_ sentences: [String], marked mark: String) {
    guard !sentences.isEmpty else { return }
    let items = sentences.map { "<li><b>\(mark):</b> \(XMLText.escaped($0))</li>" }
    text += "<ul>\n\(items.joined(separator: "\n"))\n</ul>\n"
  }
}

/// How the page of `status` looks: readable at 400 pixels and in print, dark and light.
enum StatusStyle {
  static let text = """
    :root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --line: #8a8a8a; --well: #0b6b2e; --bad: #a3180c; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #ececec; --paper: #16181b; --line: #8f949b; --well: #6fd08c; --bad: #ff9a8a; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 44rem; margin: 0 auto; padding: 1rem; }
    h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; } h3 { font-size: 1rem; }
    h1, h2, h3, p, li, dd { overflow-wrap: anywhere; }
    section { border-top: 1px solid var(--line); }
    .verdict { font-weight: bold; font-size: 1.1rem; }
    .well { color: var(--well); } .bad, li b { color: var(--bad); }
    .fine, figcaption { font-size: 0.85rem; }
    ul { padding-left: 1.2rem; }
    dl div { display: flex; gap: 1rem; } dt { flex: 0 0 7rem; } dd { margin: 0; }
    figure { margin: 1rem 0; }
    svg { width: 100%; height: auto; display: block; }
    svg line { stroke: var(--line); stroke-width: 2; } svg circle { fill: var(--well); }
    svg circle.bad { fill: var(--bad); }
    table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
    th, td { text-align: left; padding: 0.25rem 0.5rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    @media print { :root { --ink: #000; --paper: #fff; --well: #000; --bad: #000; } section { break-inside: avoid; } }

    """
}
