internal import FuekiWallet

/// Times as people and scripts read them.
enum Times {
  /// The last second of the year 9999: later ones are shown as this one, for a year has four digits.
  private static let last: UInt64 = 253_402_300_799

  /// Seconds since 1970 as UTC with `Z`.
  static func text(_ seconds: UInt64) -> String {
    let microseconds = Int64(clamping: min(seconds, last)) * 1_000_000
    let text = Timestamp(microseconds: microseconds).text
    guard let dot = text.firstIndex(of: ".") else { return text }
    return text[..<dot] + "Z"
  }

  /// Seconds since 1970, the earliest of which is shown for times before it.
  static func text(_ seconds: Int64) -> String { text(UInt64(max(0, seconds))) }
}
