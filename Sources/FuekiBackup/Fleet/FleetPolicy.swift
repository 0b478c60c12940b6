/// An administrator's rules for the backups of many machines.
///
/// They add to what a machine's owner has configured. If both limit the same thing, the stricter limit applies.
package struct FleetPolicy: Sendable {
  /// Rises with each version, so that an earlier version cannot take its place.
  package let number: Int
  /// The administrator, for display.
  package var administrator: String?
  /// Recipients of every archive, as the file has them.
  package var recipients: [String] = []
  /// Targets of every archive.
  package var targets: [Target] = []
  /// The archives that `prune` must keep.
  package var retention = RetentionRules()
  /// The least amount of an archive that its recovery files can repair.
  package var parity: ParityAmount?
  /// The least memory of the key derivation, in MiB.
  package var kdfMemory: UInt32?
  /// The least number of passes of the key derivation.
  package var kdfPasses: UInt32?
  /// The greatest age of the newest archive, in seconds.
  package var maxAge: Double?
  /// The greatest age of the last verification, in seconds.
  package var maxVerifyAge: Double?
  /// The greatest age of the last drill, in seconds.
  package var maxDrillAge: Double?

  /// Creates a policy without rules.
  package init(number: Int) { self.number = number }
}

extension RetentionRules {
  /// Returns rules that keep everything that either of two sets keeps.
  package func union(_ other: RetentionRules) -> RetentionRules {
    func most(_ key: KeyPath<RetentionRules, Count?>) -> Count? {
      [self[keyPath: key], other[keyPath: key]].compactMap(\.self).max { $0.limit < $1.limit }
    }
    var rules = RetentionRules()
    rules.last = most(\.last)
    rules.hourly = most(\.hourly)
    rules.daily = most(\.daily)
    rules.weekly = most(\.weekly)
    rules.monthly = most(\.monthly)
    rules.yearly = most(\.yearly)
    rules.within = within.map { own in other.within.map(own.union) ?? own } ?? other.within
    return rules
  }
}

extension CalendarSpan {
  /// Returns a span that is at least as long as either of two, from any date.
  func union(_ other: CalendarSpan) -> CalendarSpan {
    var span = self
    span.years = max(years, other.years)
    span.months = max(months, other.months)
    span.days = max(days, other.days)
    span.hours = max(hours, other.hours)
    return span
  }
}
