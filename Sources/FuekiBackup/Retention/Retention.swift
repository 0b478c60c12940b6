/// An archive as the rules see it.
public struct DatedArchive: Hashable, Sendable {
  /// Its place in the vault's history.
  public let sequence: UInt64
  /// When its header says that it was made, in seconds since 1970.
  public let created: UInt64

  /// An archive as the rules see it.
  public init(sequence: UInt64, created: UInt64) {
    self.sequence = sequence
    self.created = created
  }

  /// Whether it claims to be made later than now, beyond what clocks differ by.
  public func isFutureDated(now: Int64) -> Bool { Int64(clamping: created) > now &+ 86_400 }
}

extension RetentionRules {
  /// Applies the rules to the archives of one vault.
  ///
  /// The newest is the one with the highest sequence: a wrong clock does not change the order. One that is dated in the
  /// future gets the date of its neighbour, so that it uses up no more of a rule than any other. If a rule still has a
  /// count left at the oldest archive, that one is kept too, so that history reaches back as far as it can.
  ///
  /// - Parameters:
  ///   - archives: of one vault, in any order.
  ///   - now: seconds since 1970.
  /// - Returns: for each archive, in the given order, the reasons to keep it; empty if no rule keeps it.
  public func reasons(toKeep archives: [DatedArchive], now: Int64) -> [[KeepReason]] {
    let order = archives.indices.sorted { a, b in
      (archives[a].sequence, archives[a].created, a) > (archives[b].sequence, archives[b].created, b)
    }
    let times = Self.times(order.map { archives[$0] }, now: now)
    var reasons = [[KeepReason]](repeating: [], count: archives.count)
    keepLast(order, &reasons)
    let counts: [(KeepReason.Period, Count?)] = [
      (.hourly, hourly), (.daily, daily), (.weekly, weekly), (.monthly, monthly), (.yearly, yearly),
    ]
    for (period, count) in counts {
      guard let count else { continue }
      Self.keep(period, count.limit, order, times, &reasons)
    }
    if let within, let newest = times.max() {
      let limit = within.before(newest)
      for (place, index) in order.enumerated() where times[place] > limit { reasons[index].append(.within) }
    }
    return reasons
  }

  private func keepLast(_ order: [Int], _ reasons: inout [[KeepReason]]) {
    for index in order.prefix(last?.limit ?? 0) { reasons[index].append(.last) }
  }

  private static func keep(
    _ period: KeepReason.Period, _ count: Int, _ order: [Int], _ times: [Int64],
    _ reasons: inout [[KeepReason]]
  ) {
    var left = count
    var seen: Set<Int64> = []
    for (place, index) in order.enumerated() where left > 0 {
      let isFirst = seen.insert(period.number(of: times[place])).inserted
      guard isFirst || place == order.count - 1 else { continue }
      reasons[index].append(.period(period, isOldest: !isFirst))
      left -= 1
    }
  }

  /// The times to go by, newest archive first.
  private static func times(_ archives: [DatedArchive], now: Int64) -> [Int64] {
    archives.enumerated().map { place, archive in
      guard archive.isFutureDated(now: now) else { return Int64(clamping: archive.created) }
      let older = archives[place...].first { !$0.isFutureDated(now: now) }
      let newer = archives[..<place].last { !$0.isFutureDated(now: now) }
      return (newer ?? older).map { Int64(clamping: $0.created) } ?? now
    }
  }
}
