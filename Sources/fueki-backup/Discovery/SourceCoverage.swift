internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

/// Which wallets the sources of a backup take.
struct SourceCoverage: Sendable {
  private struct Source: Sendable {
    let name: String
    let kind: String
    /// Without links, as the walk goes.
    let path: [UInt8]
    let reach: SourceReach
  }

  private var sources: [Source] = []

  /// - Parameter names: sources as `--from` has them, with whole paths.
  init(_ names: [String]) {
    for name in names {
      guard let path = SourceName.path(name) else { continue }
      let kind = SourceName.kind(name)
      let reach = (try? CollectorKind(named: kind))?.reach ?? .tree
      sources.append(
        Source(
          name: name, kind: kind, path: CurrentProcess.absolutePath(of: path).pathBytes, reach: reach))
    }
  }

  /// Returns the discovered wallets that no source covers.
  func uncovered(_ found: FoundWallets) -> [String] { found.wallets.filter { !covers($0, of: found) } }

  /// Returns the discovered wallets that are kept out of every backup.
  func declined(_ found: FoundWallets) -> [String] { found.wallets.filter { declines($0) } }

  /// The sources that take none of the wallets that were found, as `--from` has them: files of no known program.
  func others(than found: DiscoveredWallets) -> [String] {
    sources.filter { source in
      source.kind != SourceSettings.nothing
        && !found.places.contains { place in place.wallets.contains { Self.covers(source, $0, of: place) } }
    }.map(\.name)
  }

  /// Whether a source takes what a restore put in a place, or part of it.
  func covers(restored path: String, of kind: String) -> Bool {
    let path = CurrentProcess.absolutePath(of: path).pathBytes
    return sources.contains { source in
      guard ["file", SourceSettings.nothing, kind].contains(source.kind) else { return false }
      return path == source.path || source.reach.covers(path, below: source.path)
        || source.kind == kind && source.path.starts(with: path + [UInt8(ascii: "/")])
    }
  }

  /// Whether a path is one that a `[[source]]` keeps out of every backup.
  func declines(_ path: String) -> Bool {
    let path = CurrentProcess.absolutePath(of: path).pathBytes
    return sources.contains { source in
      source.kind == SourceSettings.nothing
        && (path == source.path || source.reach.covers(path, below: source.path))
    }
  }

  private func covers(_ wallet: String, of found: FoundWallets) -> Bool {
    sources.contains { Self.covers($0, wallet, of: found) }
  }

  private static func covers(_ source: Source, _ wallet: String, of found: FoundWallets) -> Bool {
    let path = CurrentProcess.absolutePath(of: wallet).pathBytes
    return path == source.path
      || source.reach.covers(path, below: source.path) && takes(source.kind, wallet, of: found)
  }

  /// Returns whether a kind of source covers a wallet in a folder.
  ///
  /// Other kinds skip it.
  private static func takes(_ kind: String, _ wallet: String, of found: FoundWallets) -> Bool {
    ["file", SourceSettings.nothing, found.kind, found.program].contains(kind)
      || (try? CollectorKind.recognised(at: wallet))?.name == kind
  }
}

extension DiscoveredWallets {
  /// All that was found, as `--from` names it.
  var sourceNames: [String] {
    places.flatMap { found in
      (found.kind == "file" ? found.wallets : [found.path]).map { "\(found.kind):\($0)" }
    }
  }
}

/// Wallets on this machine that no source takes or declines.
struct UncoveredWallets: Sendable {
  /// A wallet, or a restored source.
  struct Item: Sendable, Encodable {
    let kind: String
    let path: String
  }

  /// All of them, in discovery's order, then what a restore put here.
  let items: [Item]
  private let titles: [String]

  /// Nil if every wallet is covered, or the places to search are unknown.
  init?(_ coverage: SourceCoverage) {
    guard let found = try? WalletsHere.findQuickly() else { return nil }
    let restored = OfferedSources(found, coverage).restored
    let places = found.places.filter { !coverage.uncovered($0).isEmpty }
    items =
      places.flatMap { place in coverage.uncovered(place).map { Item(kind: place.kind, path: $0) } }
      + restored.map { Item(kind: $0.kind, path: HomePath.expanded($0.path)) }
    titles = places.map(\.title) + restored.map { "what was restored to \($0.path)" }
    guard !items.isEmpty else { return nil }
  }

  /// How many, and whose.
  var sentence: String {
    var seen: Set<String> = []
    let titles = titles.filter { seen.insert($0).inserted }
    let named = titles.prefix(4).joined(separator: ", ") + (titles.count > 4 ? ", …" : "")
    return "\(Readable.count(items.count, "wallet")) on this machine in no backup: \(named)"
  }

  /// How long a backup or a status waits for a look around, in seconds.
  private static let patience = 3.0

  /// Warns during a backup of other wallets on this machine.
  ///
  /// It never waits for a hanging disk, and never fails.
  static func warn(besides sources: SourceList, _ configuration: Configuration, _ console: Console) {
    let names = sources.sourceNames
    guard let uncovered = find(besides: names, configuration) else { return }
    console.warning("\(uncovered.sentence): \(remedy)")
  }

  /// Looks around for a bounded time.
  ///
  /// - Returns: nil if there are none, or the answer takes too long.
  static func find(besides names: [String], _ configuration: Configuration) -> UncoveredWallets? {
    BoundedWait.answer(within: patience) {
      UncoveredWallets(configuration.coverage(and: names))
    }.flatMap(\.self)
  }

  /// Those that neither the configuration nor the last archives cover: a timer may name sources that no configuration has.
  static func find(_ configuration: Configuration, _ state: StateDirectory) -> UncoveredWallets? {
    let states = state.vaults().values.compactMap { try? $0.get() }
    return find(besides: states.flatMap { $0.sources ?? [] }, configuration)
  }

  /// The problem that `status` has with them until each is added or declined.
  var problem: StatusProblem { .stated("\(sentence): \(Self.remedy)") }

  static let remedy =
    "fueki-backup discover shows them, discover --add backs them up, and discover --decline PATH leaves one out"
}

/// The wallets of this machine's user.
enum WalletsHere {
  /// Finds wallets in a home, and in the folders that the XDG variables substitute for its own.
  ///
  /// - Throws: ``CommandError/usage(_:)`` if the home is unknown.
  static func find(home given: String? = nil, disks: [String] = []) throws -> DiscoveredWallets {
    try discovery(home: given, disks: disks).run()
  }

  /// The same, without a close look at each.
  static func findQuickly() throws -> DiscoveredWallets { try discovery().runQuickly() }

  private static func discovery(home given: String? = nil, disks: [String] = []) throws -> WalletDiscovery {
    if let given { return WalletDiscovery(home: given, disks: disks) }
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else {
      throw CommandError.usage("HOME is not set: use --home")
    }
    return WalletDiscovery(home: home, moved: moved, disks: disks)
  }

  /// The places in the home that wallets may go back to.
  static func places() -> WalletPlaces { WalletPlaces(home: Environment.get("HOME") ?? "", moved: moved) }

  /// The folders that the XDG variables put in the place of the home's own.
  private static var moved: [(folder: String, place: String)] {
    [("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share")].compactMap { variable, folder in
      Environment.get(variable).flatMap { $0.hasPrefix("/") ? (folder: folder, place: $0) : nil }
    }
  }
}
