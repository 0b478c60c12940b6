internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

/// The sources whose files a restore put into this machine's home.
///
/// Discovery finds only those that are in their programs' usual places.
enum RestoredSources {
  /// Returns the sources that are here, and that neither a configured one nor discovery covers.
  static func missing(_ coverage: SourceCoverage, besides found: DiscoveredWallets?) -> [AddedSource] {
    let states = ((try? Places.state().vaults()) ?? [:]).values.compactMap { try? $0.get() }
    let names = Set(states.flatMap { $0.restoredSources ?? [] }.map(ExactText.init(_:)))
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
