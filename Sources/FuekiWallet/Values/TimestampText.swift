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
