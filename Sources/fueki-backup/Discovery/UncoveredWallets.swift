internal import FuekiCollectors
internal import FuekiSystem

/// Wallets on this machine that no source takes.
struct UncoveredWallets {
  private let places: [FoundWallets]
  private let count: Int

  /// Nil if every wallet is covered, or the places to search are unknown.
  init?(_ coverage: SourceCoverage) {
    guard let found = try? WalletsHere.findQuickly() else { return nil }
    places = found.places.filter { !coverage.uncovered($0).isEmpty }
    count = places.reduce(0) { $0 + coverage.uncovered($1).count }
    guard count > 0 else { return nil }
  }

  /// How many, and whose.
  var sentence: String {
    var titles: [String] = []
    for place in places where !titles.contains(place.title) { titles.append(place.title) }
    let named = titles.prefix(4).joined(separator: ", ") + (titles.count > 4 ? ", …" : "")
    return "\(Readable.count(count, "wallet")) on this machine in no backup: \(named)"
  }

  /// How long a backup that is done waits for a look around, in seconds.
  private static let patience = 3.0

  /// Warns during a backup of other wallets on this machine.
  ///
  /// It never waits for a hanging disk, and never fails.
  static func warn(besides sources: SourceList, _ configuration: Configuration, _ console: Console) {
    let names = sources.sourceNames
    let uncovered = BoundedWait.answer(within: patience) {
      UncoveredWallets(configuration.coverage(and: names))
    }
    guard let uncovered = uncovered.flatMap(\.self) else { return }
    console.warning("\(uncovered.sentence): \(remedy)")
  }

  static let remedy = "fueki-backup discover shows them, and discover --add backs them up"
}
