internal import FuekiCollectors
internal import FuekiSystem

/// The output of `discover`.
struct DiscoverLines {
  let home: String
  let coverage: SourceCoverage
  let console: Console

  func print(_ found: DiscoveredWallets) {
    for place in found.places { print(place) }
    for folder in found.unreadable.sorted() { console.warning("\(folder) could not be read") }
    let others = coverage.others(than: found)
    for source in others {
      let path = SourceName.path(source).map { HomePath.shortened($0, home: home) } ?? ""
      console.report("also backed up: \(SourceName.kind(source)):\(path)")
    }
    guard found.places.isEmpty else { return }
    console.report(
      others.isEmpty
        ? "no wallet found in \(home)" : "no wallet of a program that this one knows in \(home)")
  }

  private func print(_ place: FoundWallets) {
    let count = place.wallets.count == 1 ? "" : "\(place.wallets.count) in "
    console.line("\(place.title): \(count)\(HomePath.shortened(place.path, home: home))")
    var facts = [place.encryption.sentence, Readable.bytes(place.byteCount)]
    if let changed = place.changed {
      facts.append("changed \(Times.text(UInt64(max(0, changed.seconds))))")
    }
    facts.append(covered(place))
    console.line("  " + facts.joined(separator: "; "))
    for use in place.uses { console.line("  running: \(use.sentence)") }
    for danger in place.dangers { console.line("  danger: \(danger.sentence)") }
  }

  private func covered(_ place: FoundWallets) -> String {
    let (uncovered, declined) = (coverage.uncovered(place).count, coverage.declined(place).count)
    if uncovered == place.wallets.count { return "not backed up" }
    if declined == place.wallets.count { return "declined: in no backup" }
    let counts = [(uncovered, "not backed up"), (declined, "declined")].filter { $0.0 > 0 }
    return counts.isEmpty ? "backed up" : counts.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}

extension WalletEncryption {
  fileprivate var sentence: String {
    switch self {
    case .yes: "encrypted"
    case .no: "not encrypted"
    case .some: "some are not encrypted"
    case .notNeeded: "no secret in it"
    case .unknown: "encryption unknown until it is opened"
    }
  }
}

extension FileUse {
  /// The users of a file, for display.
  var sentence: String {
    let who = name.map { name in name + (process.map { " (process \($0))" } ?? "") } ?? "a program"
    return switch sign {
    case .open: "\(who) has \(path) open"
    case .lock: "\(who) holds a lock on \(path)"
    case .present: "\(path) exists, and its program removes it when it ends"
    }
  }
}
