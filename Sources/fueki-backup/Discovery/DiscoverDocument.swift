internal import FuekiCollectors
internal import FuekiSystem

/// `discover --json`.
struct DiscoverDocument: Encodable {
  struct Place: Encodable {
    let program: String
    let title: String
    let kind: String
    let path: String
    let wallets: Int
    let encrypted: String
    let bytes: UInt64
    let changed: String?
    let running: [Use]
    let uncovered: [String]
    let declined: [String]
    let dangers: [Danger]
  }

  struct Use: Encodable {
    let sign: String
    let path: String
    let process: Int32?
    let name: String?
  }

  struct Danger: Encodable {
    let id: String
    let text: String
  }

  let schema = "fueki.discover/1"
  let home: String
  let places: [Place]
  /// Folders that could not be read.
  let unreadable: [String]
  /// The sources that --add wrote.
  let added: [AddedSource]

  init(_ found: DiscoveredWallets, home: String, coverage: SourceCoverage, added: [AddedSource]) {
    self.home = home
    places = found.places.map { place in
      Place(
        program: place.program, title: place.title, kind: place.kind, path: place.path,
        wallets: place.wallets.count, encrypted: place.encryption.rawValue, bytes: place.byteCount,
        changed: place.changed.map { Times.text(UInt64(max(0, $0.seconds))) },
        running: place.uses.map {
          Use(sign: $0.sign.rawValue, path: $0.path, process: $0.process, name: $0.name)
        },
        uncovered: coverage.uncovered(place), declined: coverage.declined(place),
        dangers: place.dangers.map { Danger(id: $0.rawValue, text: $0.sentence) })
    }
    unreadable = found.unreadable.sorted().map(\.text)
    self.added = added
  }
}
