internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

/// Wallets on this machine that no source takes.
struct UncoveredWallets {
  private let places: [FoundWallets]
  private let count: Int
  /// The sources that a restore put here.
  private let restored: [AddedSource]

  /// Nil if every wallet is covered, or the places to search are unknown.
  init?(_ coverage: SourceCoverage) {
    guard let found = try? WalletsHere.findQuickly() else { return nil }
    places = found.places.filter { !coverage.uncovered($0).isEmpty }
    count = places.reduce(0) { $0 + coverage.uncovered($1).count }
    restored = OfferedSources(found, coverage).restored
    guard count + restored.count > 0 else { return nil }
  }

  /// How many, and whose.
  var sentence: String {
    var titles: [String] = []
    for place in places where !titles.contains(place.title) { titles.append(place.title) }
    let named = titles.prefix(4).joined(separator: ", ") + (titles.count > 4 ? ", …" : "")
    let wallets =
      count == 0 ? [] : ["\(Readable.count(count, "wallet")) on this machine in no backup: \(named)"]
    let places = restored.prefix(4).map(\.path).joined(separator: ", ") + (restored.count > 4 ? ", …" : "")
    return (wallets + (restored.isEmpty ? [] : ["restored here, and in no source: \(places)"])).joined(
      separator: "; ")
  }

  /// How long a backup that is done waits for a look around, in seconds.
  private static let patience = 3.0

  /// Warns during a backup of other wallets on this machine.
  ///
  /// It never waits for a hanging disk, and never fails.
  static func warn(besides sources: SourceList, _ configuration: Configuration, _ console: Console) {
    guard let uncovered = find(besides: sources.sourceNames, configuration) else { return }
    console.warning("\(uncovered.sentence): \(remedy)")
  }

  /// Finds them, unless a disk hangs.
  ///
  /// - Parameter names: further sources of backups, as `--from` has them.
  static func find(besides names: [String], _ configuration: Configuration) -> UncoveredWallets? {
    BoundedWait.answer(within: patience) { UncoveredWallets(configuration.coverage(and: names)) }
      .flatMap(\.self)
  }

  /// The problem that `status` has with them until each is added or declined.
  static func problem(_ configuration: Configuration, _ state: StateDirectory) -> StatusProblem? {
    // A timer may name sources that no configuration has.
    let names = state.vaults().values.compactMap { try? $0.get() }.flatMap {
      $0.sources ?? []
    }
    return find(besides: names, configuration).map {
      .stated("\($0.sentence): \(remedy), or discover --decline")
    }
  }

  static let remedy = "fueki-backup discover shows them, and discover --add backs them up"
}
