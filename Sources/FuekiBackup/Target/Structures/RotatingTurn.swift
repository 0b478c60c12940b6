internal import FuekiCrypto

/// Divides recurring work over a period.
///
/// Each item is due once in every period, at a time of its own, so that the items of one night are due again in different
/// ones.
enum RotatingTurn {
  /// Whether an item was due between two times.
  ///
  /// - Parameters:
  ///   - key: the item's key, which others cannot compute.
  ///   - past: the time at which the work was last done, in seconds since 1970.
  ///   - now: seconds since 1970.
  ///   - period: the longest time between two turns, in seconds.
  /// - Returns: true if it was.
  static func isDue(_ key: Digest, since past: Int64, at now: Int64, every period: Int64) -> Bool {
    guard period > 0, past <= now else { return true }
    return number(of: key, at: past, period) != number(of: key, at: now, period)
  }

  /// Counts the turns of an item, from an arbitrary start.
  private static func number(of key: Digest, at time: Int64, _ period: Int64) -> Int64 {
    let offset = Int64(key.littleEndianWords.0 % UInt64(period))
    let (turns, rest) = (time - offset).quotientAndRemainder(dividingBy: period)
    return rest < 0 ? turns - 1 : turns
  }
}
