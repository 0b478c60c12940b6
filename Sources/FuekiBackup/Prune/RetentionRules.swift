internal import FuekiWallet
public import FuekiCrypto

/// Rules for the archives of a vault to keep, like restic's.
///
/// An archive that no rule keeps may be removed. Several rules may keep the same archive.
public struct RetentionRules: Hashable, Sendable {
  /// How many to keep of a kind.
  public enum Count: Hashable, Sendable {
    case number(Int)
    case unlimited

    var limit: Int {
      switch self {
      case .number(let number): number
      case .unlimited: .max
      }
    }
  }

  /// The newest so many.
  public var last: Count?
  /// The newest of each of so many hours that have one.
  public var hourly: Count?
  /// The newest of each of so many days that have one, and likewise for weeks, months and years.
  public var daily: Count?
  /// The newest of each of so many weeks, which begin on Mondays.
  public var weekly: Count?
  /// The newest of each of so many months.
  public var monthly: Count?
  /// The newest of each of so many years.
  public var yearly: Count?
  /// All that are younger than this, counted back from the newest archive and not from today.
  public var within: CalendarSpan?

  /// Nothing is kept, and nothing may be removed by such rules.
  public init() {}

  /// Whether there is no rule: then nothing is to be removed.
  public var isEmpty: Bool {
    within == nil && [last, hourly, daily, weekly, monthly, yearly].allSatisfy { $0 == nil }
  }
}

/// A span of the calendar, such as two years and five months: restic's `2y5m7d3h`.
public struct CalendarSpan: Hashable, Sendable {
  /// Whole years.
  public var years: Int64 = 0
  /// Whole months.
  public var months: Int64 = 0
  /// Whole days.
  public var days: Int64 = 0
  /// Whole hours.
  public var hours: Int64 = 0

  /// Nil unless the text has numbers with the units `y`, `m` (months), `d` and `h`, each at most once.
  public init?(_ text: String) {
    var digits = ""
    var seen: Set<Character> = []
    for character in text {
      guard !(character.isASCII && character.isNumber) else {
        digits.append(character)
        continue
      }
      guard seen.insert(character).inserted, let number = Int64(digits), number <= 100_000 else { return nil }
      switch character {
      case "y": years = number
      case "m": months = number
      case "d": days = number
      case "h": hours = number
      default: return nil
      }
      digits = ""
    }
    guard digits.isEmpty, !seen.isEmpty else { return nil }
  }

  /// Returns the seconds since 1970 of the moment that precedes another by this span.
  ///
  /// A day that its month lacks runs over into the next month: a month before 31 March is 3 March, or 2 March in a leap
  /// year.
  func before(_ seconds: Int64) -> Int64 {
    let dayNumber = seconds.flooredDays
    let date = CivilDate(daysSince1970: dayNumber)
    let month = date.year * 12 + date.month - 1 - years * 12 - months
    let first = CivilDate(
      year: (month - (month % 12 + 12) % 12) / 12, month: (month % 12 + 12) % 12 + 1, day: 1)
    let day = first.daysSince1970 + date.day - 1 - days
    return day * 86_400 + (seconds - dayNumber * 86_400) - hours * 3600
  }
}

extension Int64 {
  /// The day that contains these seconds, counted from 1970-01-01.
  var flooredDays: Int64 { (self - (self % 86_400 + 86_400) % 86_400) / 86_400 }
}

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

/// Why an archive is kept.
public enum KeepReason: Hashable, Sendable {
  case last
  case period(Period, isOldest: Bool)
  case within
  /// The newest of its vault every byte of which is as it was written.
  case newestVerified
  /// The newest of its vault that this machine made or accepted.
  ///
  /// Newer ones may be anyone's.
  case newestKnown
  /// Another machine made it since the newest that this one knows, so that nothing shows what it alone has.
  case newerThanKnown
  /// The newest that this signer made, whose place no other machine took.
  ///
  /// A machine is a signer: another one's archives do not replace what only this one has.
  case newestOf(signer: Ed25519.PublicKey)
  /// No kept archive has as many slots of this kind.
  case onlyOneOpenedBy(String)
  /// The newest archive that has these things whole, whose loss was not accepted.
  case onlyOneWith([Absence])
  /// Most of the vault's archives are dated in the future: this machine's clock is wrong, so no time-based rule
  /// decides.
  case clockIsBehind
  /// It shares its place in the vault's history with another.
  case fork
  /// A kept archive holds only what differs from it.
  case base
  /// Another file has its digest and other bytes: one of them is damaged or forged.
  case otherBytes
  /// It is equal to the file of this name, and no name shows which of the two is the copy.
  case equal(to: String)
  /// The newest that verifies without a secret; nothing vouches for its seals, so it may be a copy that no key opens.
  case newestUnproven
  /// Archives of the vault verify, but nothing vouches for the seals of any, so that none is given up.
  case noneProven
  /// No archive of the vault verifies, so that none is given up.
  case noneVerifies

  /// A part of the calendar.
  public enum Period: String, CaseIterable, Sendable {
    case hourly
    case daily
    case weekly
    case monthly
    case yearly

    /// Returns a number for the period that contains a moment, equal for moments of one period.
    package func number(of seconds: Int64) -> Int64 {
      let days = seconds.flooredDays
      let date = CivilDate(daysSince1970: days)
      switch self {
      case .hourly: return days * 24 + (seconds - days * 86_400) / 3600
      case .daily: return days
      // 1970-01-01 was a Thursday.
      case .weekly: return (days + 3 - ((days + 3) % 7 + 7) % 7) / 7
      case .monthly: return date.year * 12 + date.month
      case .yearly: return date.year
      }
    }
  }
}
