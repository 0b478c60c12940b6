/// PADMÉ: sizes rounded up so that a length reveals only its magnitude.
///
/// See fueki-archive(5), CHUNKS AND STREAMS, and Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and
/// Communication with PURBs", PETS 2019, section 4.
package enum Padme {
  /// Returns the padded number of chunks for a stream that needs `needed` of them.
  package static func chunkCount(holding needed: UInt64) -> UInt64 {
    padded(max(Limits.minimumChunks, needed))
  }

  /// Whether a stream may have `count` chunks.
  package static func isChunkCount(_ count: UInt64) -> Bool {
    count >= Limits.minimumChunks && count <= Limits.archiveBytes.upperBound && padded(count) == count
  }

  /// Rounds `n` up to a multiple of 2^(E−S).
  ///
  /// `n` must be at least 4 and far below 2^63.
  private static func padded(_ n: UInt64) -> UInt64 {
    let e = UInt64(63 - n.leadingZeroBitCount)
    let s = UInt64(63 - e.leadingZeroBitCount) + 1
    guard e > s else { return n }
    let mask: UInt64 = (1 << (e - s)) - 1
    return (n + mask) & ~mask
  }
}
