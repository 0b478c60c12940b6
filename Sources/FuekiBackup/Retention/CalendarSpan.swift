internal import FuekiWallet

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
