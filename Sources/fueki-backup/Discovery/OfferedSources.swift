internal import FuekiCollectors

/// The wallets and files of this machine that a backup can have, as `discover`, `init` and the welcome list them.
struct OfferedSources {
  /// The wallets of known programs.
  let found: DiscoveredWallets
  /// The sources that a restore put here, where no program has wallets.
  let restored: [AddedSource]

  init(_ found: DiscoveredWallets, _ coverage: SourceCoverage = SourceCoverage([])) {
    self.found = found
    restored = RestoredSources.missing(coverage, besides: found)
  }

  var isEmpty: Bool { found.places.isEmpty && restored.isEmpty }
  /// How many places there are.
  var count: Int { found.places.count + restored.count }
}
