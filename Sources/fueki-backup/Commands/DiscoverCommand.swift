internal import ArgumentParser
internal import FuekiCollectors
internal import FuekiSystem

/// `discover`: the wallets of this machine, and which of them are backed up.
struct DiscoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discover", abstract: "Find the wallets on this machine, and say which are backed up.",
    discussion: "Looks where known programs keep wallets. Reads no secret and opens no wallet.")

  @Option(help: ArgumentHelp("Search this home instead of yours.", valueName: "dir"), completion: .directory)
  var home: String?
  @Option(
    help: ArgumentHelp(
      "Also search this disk for saved files and for a home's folders. May be repeated.",
      valueName: "dir"),
    completion: .directory)
  var disk: [String] = []
  @Flag(help: "Write a [[source]] into the configuration for each wallet that none covers.")
  var add = false
  @Option(
    help: ArgumentHelp(
      "Leave this wallet out of backups, and no longer report it. May be repeated.",
      valueName: "path"),
    completion: .file())
  var decline: [String] = []
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let home = try home.map(AbsolutePath.of) ?? Environment.get("HOME") ?? ""
    let disks = try disk.map(AbsolutePath.of)
    for folder in (self.home == nil ? [] : [home]) + disks { _ = try Directory.open(folder) }
    let found = try WalletsHere.find(home: self.home == nil ? nil : home, disks: disks)
    let configuration = try settings.load(mayBeNew: add || !decline.isEmpty)
    var coverage = configuration.coverage
    var added: [AddedSource] = []
    if !decline.isEmpty {
      guard !decline.contains("") else { throw CommandError.usage("--decline needs a path") }
      added = try ConfiguredSources.decline(
        decline.map(AbsolutePath.of), to: AbsolutePath.of(settings.path()), console)
      coverage = try settings.load().coverage
    }
    if add {
      added += try ConfiguredSources.add(found, coverage, to: AbsolutePath.of(settings.path()), console)
    }
    if output.json {
      Document.write([
        "schema": "fueki.discover/1",
        "home": home,
        "places": found.places.map { $0.document(coverage) },
        "unreadable": found.unreadable.sorted().map(\.text),
        "added": added,
      ])
    } else {
      DiscoverLines(home: home, coverage: coverage, console: console).print(found)
      try printEnd(found, coverage, added, console)
    }
    guard found.unreadable.isEmpty else { throw ExitStatus.partial }
  }

  private func printEnd(
    _ found: DiscoveredWallets, _ coverage: SourceCoverage, _ added: [AddedSource], _ console: Console
  ) throws {
    if add || !decline.isEmpty {
      for source in added { console.report("added \(source.kind):\(source.path)") }
      return console.report(
        added.isEmpty ? "nothing to add to \(try settings.path())" : "wrote \(try settings.path())")
    }
    let restored = OfferedSources(found, coverage).restored
    for source in restored {
      console.line("restored here: \(source.path)")
      console.line("  not backed up")
    }
    let count = found.places.reduce(0) { $0 + coverage.uncovered($1).count }
    guard count > 0 else {
      if !restored.isEmpty { console.report("to back these files up: fueki-backup discover --add") }
      return
    }
    let subject = count == 1 ? "1 wallet is" : "\(count) wallets are"
    console.report("\(subject) not backed up. To add: fueki-backup discover --add")
  }
}

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

extension FoundWallets {
  fileprivate func document(_ coverage: SourceCoverage) -> Members {
    [
      "program": program,
      "title": title,
      "kind": kind,
      "path": path,
      "wallets": wallets.count,
      "encrypted": encryption.rawValue,
      "bytes": byteCount,
      "changed": changed.map { Times.text(UInt64(max(0, $0.seconds))) },
      "running": uses.map {
        ["sign": $0.sign.rawValue, "path": $0.path, "process": $0.process, "name": $0.name] as Members
      },
      "uncovered": coverage.uncovered(self),
      "declined": coverage.declined(self),
      "dangers": dangers.map { ["id": $0.rawValue, "text": $0.sentence] as Members },
    ]
  }
}
