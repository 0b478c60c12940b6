/// An instant in microseconds since 1970-01-01T00:00:00Z, negative before.
///
/// As in POSIX time, there are no leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The origin of a count of seconds.
  public enum Epoch: Sendable {
    /// 1970-01-01T00:00:00Z, as in POSIX.
    case unix
    /// 2001-01-01T00:00:00Z, as in Apple's frameworks.
    case reference

    var secondsSince1970: Int64 {
      switch self {
      case .unix: 0
      case .reference: 978_307_200
      }
    }
  }

  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// Creates an instant.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Parses a decimal count of seconds, such as `785000000.123456`, without floating point.
  ///
  /// Rounds to the nearest microsecond, halves away from zero. Nil if the text is not an ``Amount`` or the
  /// instant is out of range.
  public init?(seconds text: String, since epoch: Epoch) {
    guard let amount = Amount(text) else { return nil }
    guard let count = Self.whole(amount.multiplied(byPowerOfTen: 6).value) else { return nil }
    let (sum, overflow) = count.addingReportingOverflow(epoch.secondsSince1970 * 1_000_000)
    guard !overflow else { return nil }
    microseconds = sum
  }

  /// The instant in UTC, such as `2026-11-21T06:30:00.000000Z`, always with six fractional digits.
  ///
  /// Years before 0 and after 9999 have a sign and at least six digits.
  public var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The instant in UTC.
  public var description: String { text }

  /// Orders by time.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }

  private var utf8: [UInt8] {
    let (seconds, fraction) = microseconds.flooredQuotient(by: 1_000_000)
    let (days, second) = seconds.flooredQuotient(by: 86_400)
    let date = CivilDate(daysSince1970: days)
    var text: [UInt8] = []
    if 0...9999 ~= date.year {
      text.append(decimal: date.year, width: 4)
    } else {
      text.append(date.year < 0 ? 0x2d : 0x2b)
      text.append(decimal: abs(date.year), width: 6)
    }
    for (separator, value) in [
      (0x2d, date.month), (0x2d, date.day), (0x54, second / 3600), (0x3a, second / 60 % 60),
      (0x3a, second % 60),
    ] as [(UInt8, Int64)] {
      text.append(separator)
      text.append(decimal: value, width: 2)
    }
    text.append(0x2e)
    text.append(decimal: fraction, width: 6)
    text.append(0x5a)
    return text
  }

  private static func whole(_ value: DecimalDigits) -> Int64? {
    var magnitude: Int64 = 0
    let wholeCount = value.digits.count + value.exponent
    guard wholeCount <= 19 else { return nil }
    for i in 0..<max(0, wholeCount) {
      let digit = Int64(i < value.digits.count ? value.digits[i] : 0)
      let (product, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      // There is one more negative number than positive ones.
      let (sum, overflow) = product.subtractingReportingOverflow(digit)
      guard !tooLarge, !overflow else { return nil }
      magnitude = sum
    }
    if wholeCount >= 0, wholeCount < value.digits.count, value.digits[wholeCount] >= 5 {
      let (sum, overflow) = magnitude.subtractingReportingOverflow(1)
      guard !overflow else { return nil }
      magnitude = sum
    }
    if value.isNegative { return magnitude }
    return magnitude == .min ? nil : -magnitude
  }
}

/// A day in the proleptic Gregorian calendar.
///
/// The algorithm is from Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years start in March,
/// so that the leap day is the last of a year, and 400 years are an era.
package struct CivilDate: Equatable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  package init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredQuotient(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01, for any existing day.
  package var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = marchYear.flooredQuotient(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether the day exists in the calendar.
  var exists: Bool { 1...12 ~= month && 1...31 ~= day && CivilDate(daysSince1970: daysSince1970) == self }
}

extension Int64 {
  /// Returns the quotient rounded down, and a nonnegative remainder.
  fileprivate func flooredQuotient(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Array where Element == UInt8 {
  fileprivate mutating func append(decimal value: Int64, width: Int) {
    let digits = String(value).utf8
    append(contentsOf: repeatElement(0x30, count: Swift.max(0, width - digits.count)))
    append(contentsOf: digits)
  }
}
