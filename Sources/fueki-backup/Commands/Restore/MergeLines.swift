internal import FuekiBackup
internal import FuekiStore
internal import FuekiWallet

/// The result of a merge, as lines.
enum MergeLines {
  static func print(_ report: MergeReport, _ directory: String, _ console: Console) {
    for conflict in report.conflicts { console.warning(conflict.line(of: .archive)) }
    for namesake in report.namesakes { console.warning(namesake.line(of: .archive)) }
    let added = report.counts.values.reduce(0) { $0 + $1.added }
    let equal = report.counts.values.reduce(0) { $0 + $1.equal }
    console.report(
      "\(added) records were added, \(equal) were there already, \(report.conflicts.count) differed")
    guard let previous = report.previous else {
      return console.report("nothing has changed in \(directory)")
    }
    console.report("restored to \(directory)")
    console.report(
      "the previous wallet is kept in \(previous). \"fueki-backup restore --discard-previous\" removes it")
  }
}

/// The origin of a record that differs from the existing one.
enum ConflictOrigin {
  case archive
  case importedFile

  fileprivate var record: String {
    switch self {
    case .archive: "the archive's"
    case .importedFile: "the imported one"
    }
  }

  fileprivate var place: String {
    switch self {
    case .archive: "the archive"
    case .importedFile: "the imported file"
    }
  }
}

extension RestoreConflict {
  /// Returns one line: the record, its differing fields, and the resolution.
  func line(of origin: ConflictOrigin) -> String {
    let names = fields.joined(separator: ", ") + (fields.isEmpty ? "" : " ")
    let what = names + (fields.count > 1 ? "differ" : "differs")
    let done =
      switch resolution {
      case .none: ""
      case .kept: ". The earlier one is kept"
      case .replaced: "; \(origin.record) took its place"
      case .advanced: ". The wallet's own is kept, with the more recent sync state"
      case .renamed: "; \(origin.record) was added next to it"
      }
    guard let address else { return "\(section.name) \(id): \(what)\(done)" }
    return "\(section.name) \(id): \(what)\(done); \"\(address.name)\" \(address.thereText) here, "
      + "and \(address.archivedText) in \(origin.place)"
  }
}

extension Namesake {
  /// One line: who is new, and with whom they may be mistaken.
  func line(of origin: ConflictOrigin) -> String {
    "contacts \(id): \"\(address.name)\" is here already, and is paid at \(address.there). This one "
      + "in \(origin.place) is paid at \(address.archived): ask them which is theirs before you pay"
  }
}

extension RestoreConflict.Address {
  fileprivate var thereText: String { Self.text(there) }
  fileprivate var archivedText: String { Self.text(archived) }

  fileprivate var document: Members { ["name": name, "there": there, "archived": archived] }

  private static func text(_ address: String) -> String {
    address.isEmpty ? "has no address" : "is paid at \(address)"
  }
}

extension RestoreConflict {
  /// The record in JSON.
  var document: Members {
    [
      "section": section.name, "id": id, "fields": fields, "resolution": resolution.rawValue,
      "address": address?.document,
    ]
  }
}

extension Namesake {
  /// The contact in JSON.
  var document: Members { address.document + ["id": id] }
}

extension [Section: MergeCounts] {
  /// How many of each section's records were new, equal, and different, in JSON.
  var document: [String: Members] {
    reduce(into: [:]) { members, of in
      let counts = of.value
      members[of.key.name] = ["added": counts.added, "equal": counts.equal, "differs": counts.differing]
    }
  }
}
