internal import CProcess

/// Resources of this process, and the system's fitness to generate keys and date archives.
public enum SystemHealth {
  /// The number of bytes that this process may lock into memory, or `nil` if unlimited.
  public static var lockableBytes: UInt64? {
    let limit = fueki_lockable_bytes()
    return limit < 0 ? nil : UInt64(limit)
  }

  /// The number of bytes available without swapping, or `nil` if unknown.
  public static var availableBytes: UInt64? {
    guard let text = try? File.open("/proc/meminfo").readAll(limit: 1 << 16) else { return nil }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "MemAvailable:" else { continue }
      return UInt64(words[1]).map { $0 << 10 }
    }
    return nil
  }

  /// Whether the kernel's random number generator is seeded.
  ///
  /// Before that, generating a key would block.
  public static var hasEntropy: Bool { fueki_entropy_is_ready() == 1 }

  /// Whether the clock is synchronised, for example by NTP, or `nil` if unknown.
  public static var isClockSynchronised: Bool? {
    switch fueki_clock_is_synchronised() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
