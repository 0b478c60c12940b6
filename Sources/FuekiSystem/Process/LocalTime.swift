internal import Glibc

/// Times in this machine's time zone.
public enum LocalTime {
  /// Formats a time for display, including the time zone.
  ///
  /// - Parameter seconds: The time in seconds since 1970. Times after the year 9999 are shown as its last
  ///   day.
  /// - Returns: A text such as `2026-11-22 13:05 CET`.
  public static func text(_ seconds: UInt64) -> String {
    // The end of the year 9999, before any time zone's offset.
    var time = time_t(clamping: min(seconds, 253_402_200_000))
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return "an unknown time" }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M %Z", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
