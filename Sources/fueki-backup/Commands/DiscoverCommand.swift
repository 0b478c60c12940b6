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
      Document.write(DiscoverDocument(found, home: home, coverage: coverage, added: added))
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
