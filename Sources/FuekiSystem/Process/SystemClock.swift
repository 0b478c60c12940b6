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
