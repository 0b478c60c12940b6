internal import FuekiCollectors

/// The wallets and files of this machine that a backup can have, as `discover`, `init` and the welcome list them.
struct OfferedSources {
  /// The wallets of known programs.
  let found: DiscoveredWallets
  /// The files that a restore put here.
  let restored: [AddedSource]

  init(_ found: DiscoveredWallets, _ coverage: SourceCoverage = SourceCoverage([])) {
    self.found = found
    restored = RestoredSources.missing(coverage)
  }

  var isEmpty: Bool { found.places.isEmpty && restored.isEmpty }
  /// How many places there are.
  var count: Int { found.places.count + restored.count }
}
