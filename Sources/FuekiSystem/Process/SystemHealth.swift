internal import CProcess

/// What the system gives this process, and whether it is fit to make keys and to date archives.
public enum SystemHealth {
  /// How many bytes this process may lock into memory; nil where there is no limit.
  public static var lockableBytes: UInt64? {
    let limit = fueki_lockable_bytes()
    return limit < 0 ? nil : UInt64(limit)
  }

  /// How many bytes could be had without swapping; nil where the system does not say.
  public static var availableBytes: UInt64? {
    guard let text = try? File.open("/proc/meminfo").readAll(limit: 1 << 16) else { return nil }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "MemAvailable:" else { continue }
      return UInt64(words[1]).map { $0 << 10 }
    }
    return nil
  }

  /// Whether the kernel's random numbers have been seeded; before that, making a key would wait.
  public static var hasEntropy: Bool { fueki_entropy_is_ready() == 1 }

  /// Whether something keeps the clock right, such as NTP; nil where the kernel does not tell.
  public static var isClockSynchronised: Bool? {
    switch fueki_clock_is_synchronised() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
