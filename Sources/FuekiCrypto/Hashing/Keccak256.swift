/// Keccak-256 as Ethereum uses it, with the padding of the submission rather than that of SHA-3.
///
/// See the Keccak reference, version 3.0; FIPS 202 differs in one byte of padding.
public enum Keccak256 {
  private static let blockByteCount = 136

  /// Hashes bytes that are all there; allocates nothing.
  public static func hash(_ bytes: Span<UInt8>) -> Digest {
    var state = InlineArray<25, UInt64>(repeating: 0)
    var start = 0
    while bytes.count - start >= blockByteCount {
      for lane in 0..<blockByteCount / 8 { state[lane] ^= bytes.lane(at: start + 8 * lane) }
      KeccakPermutation.apply(to: &state)
      start += blockByteCount
    }
    let rest = bytes.count - start
    for lane in 0..<rest / 8 { state[lane] ^= bytes.lane(at: start + 8 * lane) }
    for index in rest / 8 * 8..<rest { state[index / 8] ^= UInt64(bytes[start + index]) << (index % 8 * 8) }
    state[rest / 8] ^= 1 << (rest % 8 * 8)
    state[blockByteCount / 8 - 1] ^= 1 << 63
    KeccakPermutation.apply(to: &state)
    return Digest(
      words: (state[0].byteSwapped, state[1].byteSwapped, state[2].byteSwapped, state[3].byteSwapped))
  }
}

extension Span<UInt8> {
  /// Reads eight bytes as a little-endian number.
  @inline(__always) fileprivate func lane(at offset: Int) -> UInt64 {
    let low =
      UInt32(self[offset]) | UInt32(self[offset + 1]) << 8
      | UInt32(self[offset + 2]) << 16 | UInt32(self[offset + 3]) << 24
    let high =
      UInt32(self[offset + 4]) | UInt32(self[offset + 5]) << 8
      | UInt32(self[offset + 6]) << 16 | UInt32(self[offset + 7]) << 24
    return UInt64(low) | UInt64(high) << 32
  }
}
