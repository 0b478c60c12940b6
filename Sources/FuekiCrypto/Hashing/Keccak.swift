/// Keccak-256 as Ethereum uses it, with the padding of the submission rather than that of SHA-3.
///
/// See the Keccak reference, version 3.0; FIPS 202 differs in one byte of padding.
public enum Keccak256 {
  private static let blockByteCount = 136

  /// Hashes a complete message without allocating.
  public static func hash(_ bytes: Span<UInt8>) -> Digest {
    let state = state(of: bytes)
    return Digest(
      words: (state[0].byteSwapped, state[1].byteSwapped, state[2].byteSwapped, state[3].byteSwapped))
  }

  /// The whole state after hashing bytes.
  ///
  /// Its first four words are the hash.
  static func state(of bytes: Span<UInt8>) -> InlineArray<25, UInt64> {
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
    return state
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

/// Keccak-f[1600], the permutation of ``Keccak256``.
enum KeccakPermutation {
  private static let roundConstants: InlineArray<24, UInt64> = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000,
    0x0000_0000_0000_808b, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
    0x0000_0000_0000_008a, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000a,
    0x0000_0000_8000_808b, 0x8000_0000_0000_008b, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
    0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800a, 0x8000_0000_8000_000a,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
  ]

  /// Permutes the state in its 24 rounds.
  static func apply(to state: inout InlineArray<25, UInt64>) {
    for index in roundConstants.indices { round(&state, roundConstants[index]) }
  }

  // Written out lane by lane: loops over the five rows and columns take several times as long.
  @inline(__always)
  private static func round(_ s: inout InlineArray<25, UInt64>, _ roundConstant: UInt64) {
    let c0 = s[0] ^ s[5] ^ s[10] ^ s[15] ^ s[20]
    let c1 = s[1] ^ s[6] ^ s[11] ^ s[16] ^ s[21]
    let c2 = s[2] ^ s[7] ^ s[12] ^ s[17] ^ s[22]
    let c3 = s[3] ^ s[8] ^ s[13] ^ s[18] ^ s[23]
    let c4 = s[4] ^ s[9] ^ s[14] ^ s[19] ^ s[24]
    let d0 = c4 ^ rotate(c1, 1)
    let d1 = c0 ^ rotate(c2, 1)
    let d2 = c1 ^ rotate(c3, 1)
    let d3 = c2 ^ rotate(c4, 1)
    let d4 = c3 ^ rotate(c0, 1)
    let b0 = s[0] ^ d0
    let b1 = rotate(s[6] ^ d1, 44)
    let b2 = rotate(s[12] ^ d2, 43)
    let b3 = rotate(s[18] ^ d3, 21)
    let b4 = rotate(s[24] ^ d4, 14)
    let b5 = rotate(s[3] ^ d3, 28)
    let b6 = rotate(s[9] ^ d4, 20)
    let b7 = rotate(s[10] ^ d0, 3)
    let b8 = rotate(s[16] ^ d1, 45)
    let b9 = rotate(s[22] ^ d2, 61)
    let b10 = rotate(s[1] ^ d1, 1)
    let b11 = rotate(s[7] ^ d2, 6)
    let b12 = rotate(s[13] ^ d3, 25)
    let b13 = rotate(s[19] ^ d4, 8)
    let b14 = rotate(s[20] ^ d0, 18)
    let b15 = rotate(s[4] ^ d4, 27)
    let b16 = rotate(s[5] ^ d0, 36)
    let b17 = rotate(s[11] ^ d1, 10)
    let b18 = rotate(s[17] ^ d2, 15)
    let b19 = rotate(s[23] ^ d3, 56)
    let b20 = rotate(s[2] ^ d2, 62)
    let b21 = rotate(s[8] ^ d3, 55)
    let b22 = rotate(s[14] ^ d4, 39)
    let b23 = rotate(s[15] ^ d0, 41)
    let b24 = rotate(s[21] ^ d1, 2)
    s[0] = b0 ^ (~b1 & b2) ^ roundConstant
    s[1] = b1 ^ (~b2 & b3)
    s[2] = b2 ^ (~b3 & b4)
    s[3] = b3 ^ (~b4 & b0)
    s[4] = b4 ^ (~b0 & b1)
    s[5] = b5 ^ (~b6 & b7)
    s[6] = b6 ^ (~b7 & b8)
    s[7] = b7 ^ (~b8 & b9)
    s[8] = b8 ^ (~b9 & b5)
    s[9] = b9 ^ (~b5 & b6)
    s[10] = b10 ^ (~b11 & b12)
    s[11] = b11 ^ (~b12 & b13)
    s[12] = b12 ^ (~b13 & b14)
    s[13] = b13 ^ (~b14 & b10)
    s[14] = b14 ^ (~b10 & b11)
    s[15] = b15 ^ (~b16 & b17)
    s[16] = b16 ^ (~b17 & b18)
    s[17] = b17 ^ (~b18 & b19)
    s[18] = b18 ^ (~b19 & b15)
    s[19] = b19 ^ (~b15 & b16)
    s[20] = b20 ^ (~b21 & b22)
    s[21] = b21 ^ (~b22 & b23)
    s[22] = b22 ^ (~b23 & b24)
    s[23] = b23 ^ (~b24 & b20)
    s[24] = b24 ^ (~b20 & b21)
  }

  @inline(__always)
  private static func rotate(_ lane: UInt64, _ count: UInt64) -> UInt64 {
    lane << count | lane >> (64 - count)
  }
}
