internal import CProcess
internal import Glibc

/// The machine's host name.
public enum HostName {
  /// The host name, or `localhost` if it is unset.
  public static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    let capacity = name.count
    let status = unsafe name.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return Int32(-1) }
      return unsafe gethostname(base, capacity - 1)
    }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return status != 0 || text.isEmpty ? "localhost" : text
  }
}

/// The processors that this process may use.
public enum Processors {
  /// The number of usable processors, at least 1.
  ///
  /// It respects the affinity mask, but not a quota of processor time.
  public static var count: Int { Int(fueki_usable_processors()) }
}

/// The user that this process acts for.
public enum CurrentUser {
  /// The effective user id.
  public static var identifier: UInt32 { geteuid() }
  /// The effective group id.
  public static var group: UInt32 { getegid() }
}

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
