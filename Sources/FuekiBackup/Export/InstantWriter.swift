internal import FuekiWallet

/// Writes instants as ``Timestamp/text`` spells them, and remembers the last day: records follow one another
/// in time, and finding the date is most of the work.
struct InstantWriter {
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  private var day: Int64 = .min
  private var date: [UInt8] = []

  /// Appends an instant as UTC, such as `2026-11-21T06:30:00.000000Z`.
  mutating func append(_ microseconds: Int64, to bytes: inout [UInt8]) {
    var (day, rest) = microseconds.quotientAndRemainder(dividingBy: Self.microsecondsPerDay)
    if rest < 0 {
      day -= 1
      rest += Self.microsecondsPerDay
    }
    if day != self.day {
      let text = Array(Timestamp(microseconds: microseconds).text.utf8)
      // The time and its zone have 16 bytes; the year may have more than four digits.
      date = Array(text.dropLast(Self.timeByteCount))
      self.day = day
    }
    bytes.append(contentsOf: date)
    let seconds = rest / 1_000_000
    Self.append(seconds / 3600, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds / 60 % 60, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds % 60, 2, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    Self.append(rest % 1_000_000, 6, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  private static let timeByteCount = "06:30:00.000000Z".utf8.count

  private static func append(_ value: Int64, _ width: Int, to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: width) { output in
      var divisor: Int64 = 1
      for _ in 1..<width { divisor *= 10 }
      while divisor > 0 {
        output.append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
        divisor /= 10
      }
    }
  }
}
