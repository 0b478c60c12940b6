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

extension Timestamp {
  /// Parses an ISO 8601 date and time with a zone, such as `2026-11-21T06:30:00.123Z` or `…+01:00`.
  ///
  /// The fraction may have any length and is truncated to microseconds. A space may replace the `T`. Years
  /// without exactly four digits need a sign. Nil for a text without a zone, a day that does not exist, a
  /// leap second, or an instant out of range.
  public init?(_ text: String) {
    guard let microseconds = Self.parse(text.utf8Span.span) else { return nil }
    self.init(microseconds: microseconds)
  }

  private static func parse(_ text: Span<UInt8>) -> Int64? {
    var scanner = Scanner()
    guard let date = scanner.date(in: text), date.exists else { return nil }
    guard scanner.take("T", in: text) || scanner.take("t", in: text) || scanner.take(" ", in: text),
      let hour = scanner.number(2, below: 24, in: text), scanner.take(":", in: text),
      let minute = scanner.number(2, below: 60, in: text), scanner.take(":", in: text),
      let second = scanner.number(2, below: 60, in: text),
      let fraction = scanner.fraction(in: text),
      let offset = scanner.offset(in: text),
      scanner.position == text.count
    else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
    // The earliest instant has a fraction: count down to it from the next second.
    let (whole, tooLarge) = (seconds < 0 ? seconds + 1 : seconds).multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(seconds < 0 ? fraction - 1_000_000 : fraction)
    return tooLarge || overflow ? nil : sum
  }
}

/// A position in a text read from left to right.
private struct Scanner {
  var position = 0

  mutating func take(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
    guard position < text.count, UInt32(text[position]) == character.value else { return false }
    position += 1
    return true
  }

  mutating func number(_ width: Int, below limit: Int64 = .max, in text: Span<UInt8>) -> Int64? {
    guard width <= text.count - position else { return nil }
    var number: Int64 = 0
    for i in position..<(position + width) {
      guard 0x30...0x39 ~= text[i] else { return nil }
      number = number * 10 + Int64(text[i] - 0x30)
    }
    guard number < limit else { return nil }
    position += width
    return number
  }

  func digitCount(in text: Span<UInt8>) -> Int {
    var end = position
    while end < text.count, 0x30...0x39 ~= text[end] { end += 1 }
    return end - position
  }

  mutating func date(in text: Span<UInt8>) -> CivilDate? {
    let isNegative = take("-", in: text)
    let hasSign = isNegative || take("+", in: text)
    let width = digitCount(in: text)
    guard hasSign ? 4...6 ~= width : width == 4 else { return nil }
    guard let year = number(width, in: text), take("-", in: text), let month = number(2, in: text),
      take("-", in: text), let day = number(2, in: text)
    else { return nil }
    return CivilDate(year: isNegative ? -year : year, month: month, day: day)
  }

  /// Returns microseconds; 0 without a fraction.
  mutating func fraction(in text: Span<UInt8>) -> Int64? {
    guard take(".", in: text) || take(",", in: text) else { return 0 }
    let width = digitCount(in: text)
    guard width > 0, var fraction = number(min(width, 6), in: text) else { return nil }
    for _ in min(width, 6)..<6 { fraction *= 10 }
    position += max(0, width - 6)
    return fraction
  }

  /// Returns seconds east of UTC.
  mutating func offset(in text: Span<UInt8>) -> Int64? {
    if take("Z", in: text) || take("z", in: text) { return 0 }
    let isWest = take("-", in: text)
    guard isWest || take("+", in: text), let hours = number(2, below: 24, in: text) else { return nil }
    var minutes: Int64 = 0
    if take(":", in: text) || position < text.count {
      guard let number = number(2, below: 60, in: text) else { return nil }
      minutes = number
    }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
