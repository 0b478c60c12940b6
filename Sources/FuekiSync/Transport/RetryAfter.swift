internal import FuekiWallet

/// The field in which a server states when to retry.
///
/// See RFC 9110, section 10.2.3.
enum RetryAfter {
  /// Returns the seconds from now, at least 0; nil for text that is neither seconds nor a date.
  static func seconds(_ text: String, now: Double) -> Double? {
    let text = text.drop { $0 == " " }
    if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return Double(text) }
    return date(text).map { max(0, $0 - now) }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// The two obsolete formats are not supported.
  private static func date(_ text: Substring) -> Double? {
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "," })
    guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int64(parts[3]), 1970...9999 ~= year
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
    guard clock.count == 3, 0...23 ~= clock[0], 0...59 ~= clock[1], 0...60 ~= clock[2], 1...31 ~= day else {
      return nil
    }
    let days = CivilDate(year: year, month: Int64(month) + 1, day: day).daysSince1970
    return Double(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
  }
}
