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
