internal import FuekiBackup
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
    try write(sources, to: path, console)
    return sources
  }

  /// Adds a table that keeps each path out of every backup, unless one does.
  ///
  /// - Throws: as ``add(_:_:to:_:)``; ``CommandError/usage(_:)`` for a path with `*`, and one that is not there.
  static func decline(_ paths: [String], to path: String, _ console: Console) throws -> [AddedSource] {
    let declined = try Configuration(ConfigurationFile(path: path, text: ConfigurationText.present(at: path)))
      .declined
    let sources = try paths.filter { !declined.declines($0) }.map { wallet in
      guard !PlacePattern.isPattern(wallet) else {
        throw CommandError.usage("\(wallet) has a * in its name, and would stand for others too")
      }
      guard (try? FileStatus.of(wallet)) != nil else { throw CommandError.usage("\(wallet) is not there") }
      let folder = CurrentProcess.absolutePath(of: wallet)
      let home = CurrentProcess.absolutePath(of: Environment.get("HOME") ?? "/")
      guard ExactText(home) != ExactText(folder), !home.isBelow(folder) else {
        throw CommandError.usage("\(wallet) is the home, or has it in it: name a wallet")
      }
      return AddedSource(
        kind: SourceSettings.nothing, path: HomePath.shortened(wallet, home: Environment.get("HOME") ?? ""))
    }
    try write(sources, to: path, console)
    return sources
  }

  private static func write(_ sources: [AddedSource], to path: String, _ console: Console) throws {
    guard !sources.isEmpty else { return }
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

  private static func restored(
    _ found: DiscoveredWallets, _ coverage: SourceCoverage, _ console: Console
  ) -> [AddedSource] {
    RestoredSources.missing(coverage, besides: found).filter { source in
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
    var seen: Set<AddedSource> = []
    let wallets = found.places.flatMap { place -> [AddedSource] in
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
    }
    // One folder may be the source of several wallets.
    return wallets.filter { seen.insert($0).inserted } + restored(found, coverage, console)
  }
}

/// A `[[source]]` that was written.
struct AddedSource: Encodable, Hashable {
  let kind: String
  let path: String

  static func == (one: AddedSource, other: AddedSource) -> Bool {
    one.kind == other.kind && ExactText(one.path) == ExactText(other.path)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(ExactText(path))
  }
}

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

/// The sources whose files a restore put into this machine's home.
///
/// Discovery finds only those that are in their programs' usual places.
enum RestoredSources {
  /// Returns the sources that are here, and that neither a configured one nor discovery covers.
  static func missing(_ coverage: SourceCoverage, besides found: DiscoveredWallets?) -> [AddedSource] {
    let states = ((try? Places.state().vaults()) ?? [:]).values.compactMap { try? $0.get() }
    let names = Set(states.flatMap(\.restoredSources).map(ExactText.init(_:)))
    return names.sorted().compactMap { name in
      guard let path = SourceName.path(name.text) else { return nil }
      let kind = CollectorKind.known(SourceName.kind(name.text))
      let whole = HomePath.expanded(path)
      guard isThere(whole), !coverage.covers(restored: whole, of: kind) else { return nil }
      let isFound = found?.places.contains { place in
        place.kind == kind
          && ([place.path] + place.wallets).contains { other in
            ExactText(other) == ExactText(whole) || other.isBelow(whole) || whole.isBelow(other)
          }
      }
      return isFound ?? false ? nil : AddedSource(kind: kind, path: path)
    }
  }

  private static func isThere(_ path: String) -> Bool {
    (try? Directory.open(path)) != nil || (try? File.openRegular(path)) != nil
  }
}

extension CollectorKind {
  /// A kind's name, or "file" for one that this version does not know.
  fileprivate static func known(_ name: String) -> String {
    SourceSettings.kinds.contains(name) ? name : "file"
  }
}
