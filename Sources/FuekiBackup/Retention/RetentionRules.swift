internal import FuekiWallet

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
