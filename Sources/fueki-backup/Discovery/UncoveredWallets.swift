internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

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
