internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSystem

/// `[[source]]` tables for wallets that were found.
enum ConfiguredSources {
  /// Adds a table for each wallet that no source covers, and keeps all else that the file says.
  ///
  /// - Throws: ``CommandError/configuration(_:)`` where the file would not be one any more.
  static func add(
    _ found: DiscoveredWallets, _ coverage: SourceCoverage, to path: String, _ console: Console
  ) throws -> [AddedSource] {
    let sources = missing(found, coverage, console)
    guard !sources.isEmpty else { return [] }
    var text = try ConfigurationText.present(at: path)
    let before = try Configuration(ConfigurationFile(path: path, text: text))
    // Without this, a backup requires the store, and fails without one.
    if before.vaults.isEmpty, !hasStore(before) { text += "\n[[vault]]\n" + noStore }
    text += self.text(sources)
    // The written configuration must be valid.
    let after = try Configuration(ConfigurationFile(path: path, text: text))
    if !hasStore(after), after.candidates.contains(where: { $0.from == nil }) {
      console.note("\(path): with no Fueki wallet to back up, [[vault]] needs from = []")
    }
    try OutputFile.update(text, at: path)
    return sources
  }

  /// The text of a vault without a store.
  static let noStore = "from = []\n"

  private static func hasStore(_ configuration: Configuration) -> Bool {
    guard let directory = try? DataOptions.standard(configuration) else { return true }
    return (try? WalletStore.checkIsThere(directory)) != nil
  }

  /// The tables, as a file has them.
  static func text(_ sources: [AddedSource]) -> String {
    var text = ConfigurationText(comment: [])
    for source in sources {
      text.begin(.source)
      text.add("kind", source.kind)
      text.add("path", source.path)
    }
    return text.text
  }

  private static func restored(_ coverage: SourceCoverage, _ console: Console) -> [AddedSource] {
    RestoredSources.missing(coverage).filter { source in
      guard PlacePattern.isPattern(source.path) else { return true }
      console.warning("\(source.path) has a * in its name: use --from with it")
      return false
    }
  }

  /// Returns the sources to add so that every wallet is covered: a whole place, or the uncovered parts of one.
  static func missing(
    _ found: DiscoveredWallets, _ coverage: SourceCoverage, _ console: Console
  ) -> [AddedSource] {
    let home = Environment.get("HOME") ?? ""
    return found.places.flatMap { place -> [AddedSource] in
      let uncovered = coverage.uncovered(place)
      guard !uncovered.isEmpty else { return [] }
      let isWhole = uncovered.count == place.wallets.count
      // A name of its own with a star in it would stand for others too.
      let literal = (isWhole ? place.wallets + [place.path] : uncovered).first(where: PlacePattern.isPattern)
      if let literal {
        console.warning("\(literal) has a * in its name: use --from with it")
        return []
      }
      return (isWhole ? place.sources : uncovered).map {
        AddedSource(kind: place.kind, path: HomePath.shortened($0, home: home))
      }
    } + restored(coverage, console)
  }
}
