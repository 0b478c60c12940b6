internal import Glibc

/// The system's clocks.
public enum SystemClock {
  /// The system clock's time in microseconds since 1970.
  public static var now: Int64 {
    let time = read(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// A monotonic time in seconds from an unspecified start, independent of changes to the system clock.
  public static var monotonicSeconds: Double {
    let time = read(CLOCK_MONOTONIC)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return time
  }

  /// Sleeps.
  ///
  /// A signal ends the sleep early.
  public static func sleep(seconds: Double) {
    let whole = seconds.rounded(.down)
    var time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
    _ = unsafe nanosleep(&time, nil)
  }
}

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
