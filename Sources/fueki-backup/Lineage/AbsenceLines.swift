internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
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
  var title: String {
    switch replaced {
    case .key: "\(holding.title) with its earlier key"
    case .contents: "\(holding.title) as it was"
    case nil: holding.title
    }
  }

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

  /// The thing in JSON.
  var document: Members {
    [
      "kind": holding.kind.rawValue, "name": holding.name.text, "id": holding.id, "sequence": last.sequence,
      "archive": last.digest, "accepted": isAccepted,
    ]
  }
}

extension [AbsentNumbers] {
  /// The numbers that targets lack, a sentence for each target, vault and reason.
  var sentences: [String] {
    Dictionary(grouping: self) { Key(target: $0.target, vault: $0.vault, reason: $0.reason.rawValue) }
      .sorted { ($0.key.target, $0.key.vault, $0.key.reason) < ($1.key.target, $1.key.vault, $1.key.reason) }
      .compactMap { key, absent in
        absent.first.map { Self.sentence(key, absent.map(\.numbers), $0.reason) }
      }
  }

  private struct Key: Hashable {
    let target: String
    let vault: VaultID
    let reason: String
  }

  private static func sentence(
    _ key: Key, _ numbers: [ClosedRange<UInt64>], _ reason: AbsentNumbers.Reason
  ) -> String {
    let list = numbers.map(\.sentence).joined(separator: ", ")
    let start = "\(key.target): of vault \(key.vault.hex) these numbers are missing: \(list); "
    return switch reason {
    case .neverWritten:
      start
        + "they were never written here, because the target was missing, full or not writable; "
        + "\"fueki-backup copy\" brings the newest archive, and with --all all those that another target has"
    case .removed: start + "they were here: prune or a person removed them"
    case .unknown: start + "prune or a person removed them, or they were never written here"
    }
  }
}

extension AbsentNumbers {
  /// The numbers in JSON.
  var document: Members {
    [
      "target": target, "vault": vault.hex, "first": numbers.lowerBound, "last": numbers.upperBound,
      "reason": reason.rawValue,
    ]
  }
}

extension LineageGaps {
  /// The missing numbers, copies and false names, a sentence for each vault and each file.
  var sentences: [String] {
    Dictionary(grouping: gaps, by: \.vault).sorted { $0.key < $1.key }
      .map { Self.sentence($0.key, $0.value) } + fileSentences
  }

  /// The copies and false names, a sentence for each file.
  var fileSentences: [String] {
    doubles.map { "\($0.path) is a copy of \($0.of)" }
      + contested.map {
        "\($0.path) has the digest of \($0.with) and other bytes: one of the two is damaged or forged"
      }
      + misnamed.map {
        "\($0.path): its name says number \($0.named), and the archive is number \($0.sequence)"
      }
  }

  private static func sentence(_ vault: VaultID, _ gaps: [Gap]) -> String {
    let numbers = gaps.map(\.missing.sentence)
    return "of vault \(vault.hex) these numbers are missing: \(numbers.joined(separator: ", ")); "
      + "prune or a person removed them, or they were never written here"
  }
}

extension ClosedRange<UInt64> {
  /// The numbers of the range: the only one, or the first and the last.
  ///
  /// A header can state any number, so that a range can be wider than a count.
  package var sentence: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)"
  }
}

extension TargetLag {
  /// The archives that the target lacks, since when, and the next step.
  var sentence: String {
    switch self {
    case .behind(let newest, let since, let holder):
      "this target is behind\(since.map { " since \(Times.text($0))" } ?? ""): it lacks number "
        + "\(newest.sequence) (\(newest.digest.prefix(12)))\(holder.map { ", which \($0) has" } ?? ""); "
        + (holder == nil ? "make a new archive with create" : "run create, or copy")
    case .lacksBase(let newest, let base, let holder):
      "this target cannot restore number \(newest.sequence) (\(newest.digest.prefix(12))) alone: it lacks number "
        + "\(base), which it needs\(holder.map { " and \($0) has" } ?? ""); "
        + (holder == nil ? "make a full archive with create --full" : "run copy")
    }
  }
}
