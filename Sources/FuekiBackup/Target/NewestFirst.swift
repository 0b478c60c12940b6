internal import FuekiArchive

/// The order in which a target's archives are shown.
enum NewestFirst {
  /// Orders by creation time, newest first.
  ///
  /// Files without a header come last, by name.
  ///
  /// Within a vault the sequence counts: an archive made after a clock went back counts as equally new as its
  /// predecessor.
  static func order(_ entries: [TargetEntry]) -> [TargetEntry] {
    var latest: [VaultID: UInt64] = [:]
    let oldestFirst = entries.sorted { (sequence($0), $0.name) < (sequence($1), $1.name) }
    let dated = oldestFirst.map { entry -> (entry: TargetEntry, time: UInt64?) in
      guard let facts = entry.archive?.facts else { return (entry, nil) }
      let time = max(latest[facts.vaultID] ?? 0, facts.created)
      latest[facts.vaultID] = time
      return (entry, time)
    }
    return dated.sorted { a, b in
      guard let aTime = a.time, let bTime = b.time else {
        return a.time == nil && b.time == nil ? a.entry.name > b.entry.name : a.time != nil
      }
      return (aTime, sequence(a.entry), a.entry.name) > (bTime, sequence(b.entry), b.entry.name)
    }.map(\.entry)
  }

  private static func sequence(_ entry: TargetEntry) -> UInt64 { entry.archive?.facts.sequence ?? 0 }
}
