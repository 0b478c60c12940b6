internal import FuekiBackup
internal import FuekiSystem

/// Things that earlier archives have and the newest has not, as lines.
enum AbsenceLines {
  private static let limit = 100

  /// The losses of a backup that were not accepted, and the way to accept them; no option hides them.
  ///
  /// - Parameters:
  ///   - losses: the losses.
  ///   - sources: the sources that the run left out, which may have what is missing.
  ///   - isElsewhere: whether another machine made the archive that has what is missing, and this one may get a vault of
  ///     its own.
  ///   - console: gets the lines.
  static func print(
    _ losses: [Absence], leavingOut sources: [String], besidesOther isElsewhere: Bool, _ console: Console
  ) {
    guard !losses.isEmpty else { return }
    for loss in losses.prefix(limit) { console.line("MISSING: \(loss.sentence)") }
    if losses.count > limit {
      console.line("MISSING: \(losses.count - limit) more things (--json lists all)")
    }
    guard sources.isEmpty else { return explain(sources, losses, console) }
    let example = losses.first?.acceptable ?? ""
    if isElsewhere {
      console.note(
        "Another machine made the archive that has what is missing. If it still makes backups, give this one a vault of "
          + "its own: fueki-backup create --new-vault")
    }
    console.note(
      "prune keeps the archives that have what is missing. Bring it back, or accept the loss once: "
        + "fueki-backup create --accept loss=\(example)")
  }

  /// Explains an archive of other sources than the vault's: it is the newest, and lacks what the others have.
  private static func explain(_ sources: [String], _ losses: [Absence], _ console: Console) {
    let named = sources.prefix(4).joined(separator: ", ") + (sources.count > 4 ? ", …" : "")
    let last = losses.map(\.last.sequence).max() ?? 0
    console.note(
      "This archive has only the sources of --from. It leaves out \(named), and it is now the newest: a restore of "
        + "\"latest\" brings back only this, and points to number \(last) for the rest.")
    console.note("To back up everything again: fueki-backup create")
    console.note(
      "To back up these files every time, add a [[source]] to the configuration. To keep them apart, configure a "
        + "separate [[vault]] with its own target: fueki-backup-config(5).")
  }

  /// Prints the things that a restored archive lacks, and their places.
  static func print(restored absent: [Absence], _ console: Console) {
    for absence in absent.prefix(limit) where !absence.isAccepted {
      console.warning("\(absence.owner), which this archive lacks")
    }
  }
}

extension Absence {
  /// The thing's kind and name.
  var title: String { isReplaced ? "\(holding.title) with its earlier key" : holding.title }

  /// The value of `--accept loss=` for the thing, as a shell takes it: its name, or its id if its name cannot be typed.
  var acceptable: String {
    let name = holding.name.text
    let isTypeable = name.unicodeScalars.allSatisfy { TerminalText.spelling(of: $0) == nil }
    return ShellWord.quoted(isTypeable ? name : holding.id)
  }

  /// The thing, and the last archive that has it.
  var sentence: String {
    "\(title), last in number \(last.sequence) (\(last.digest.prefix(8)))"
  }

  /// The archive that has the thing, and the thing.
  var owner: String {
    "number \(last.sequence) (\(last.digest.prefix(8))) has \(title)"
  }

  /// The thing, and its place.
  var place: String {
    "\(title), which number \(last.sequence) (\(last.digest.prefix(8))) has"
  }
}
