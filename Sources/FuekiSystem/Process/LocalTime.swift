internal import Glibc

/// A moment as the clock on this machine's wall shows it.
public enum LocalTime {
  /// Formats a moment for people, with the zone that it is told in.
  ///
  /// - Parameter seconds: since 1970; what no calendar holds is shown as the last day that it holds.
  /// - Returns: such as `2026-11-22 13:05 CET`.
  public static func text(_ seconds: UInt64) -> String {
    // The end of the year 9999, before any zone adds its hours.
    var time = time_t(clamping: min(seconds, 253_402_200_000))
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return "an unknown time" }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M %Z", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
