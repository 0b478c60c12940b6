internal import FuekiBackup
internal import FuekiWallet

/// A difference as lines.
struct DiffLines {
  private static let idsShown = 20
  private let console: Console

  init(_ console: Console) { self.console = console }

  func print(_ difference: BundleDifference) {
    for section in difference.sections where !section.isEmpty {
      console.line("\(section.section.name): \(section.countsText)")
      print(section.added, as: "+")
      print(section.removed, as: "-")
      print(section.changed, as: "~")
    }
    for name in difference.notCompared { console.warning("\(name): not compared") }
    if difference.isEmpty { console.report("nothing differs") }
  }

  private func print(_ ids: [String], as sign: String) {
    let shown = console.isVerbose ? ids.count : Self.idsShown
    for id in ids.prefix(shown) { console.line("  \(sign) \(id)") }
    if ids.count > shown { console.line("  \(sign) and \(ids.count - shown) more (-v shows all)") }
  }
}

extension SectionDifference {
  /// How many records differ in which way, such as "2 added, 1 changed".
  var countsText: String {
    let counts = [(added.count, "added"), (removed.count, "removed"), (changed.count, "changed")]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
