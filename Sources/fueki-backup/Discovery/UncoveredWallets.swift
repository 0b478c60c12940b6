internal import FuekiCollectors

/// Wallets on this machine that no source takes.
struct UncoveredWallets {
  private let places: [FoundWallets]
  private let count: Int

  /// Nil where every wallet is covered, or nobody says where to look.
  init?(_ coverage: SourceCoverage) {
    guard let found = try? WalletsHere.find() else { return nil }
    places = found.places.filter { !coverage.uncovered($0).isEmpty }
    count = places.reduce(0) { $0 + coverage.uncovered($1).count }
    guard count > 0 else { return nil }
  }

  /// How many, and whose.
  var sentence: String {
    var titles: [String] = []
    for place in places where !titles.contains(place.title) { titles.append(place.title) }
    let named = titles.prefix(4).joined(separator: ", ") + (titles.count > 4 ? ", …" : "")
    return "\(count == 1 ? "1 wallet" : "\(count) wallets") on this machine in no backup: \(named)"
  }

  static let remedy = "fueki-backup discover shows them, and discover --add backs them up"
}
