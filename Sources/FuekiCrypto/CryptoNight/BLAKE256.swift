/// BLAKE-256 in its final form of 14 rounds, one of the four hashes that end CryptoNight.
///
/// See the submission to NIST's SHA-3 competition, section 2.1.
enum BLAKE256 {
  /// The first digits of pi.
  private static let constants: [UInt32] = [
    0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344, 0xA409_3822, 0x299F_31D0, 0x082E_FA98, 0xEC4E_6C89,
    0x4528_21E6, 0x38D0_1377, 0xBE54_66CF, 0x34E9_0C6C, 0xC0AC_29B7, 0xC97C_50DD, 0x3F84_D5B5, 0xB547_0917,
  ]

  /// The order in which each round uses the words of the block.
  private static let orders: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]

  private static let quarters: [(Int, Int, Int, Int)] = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
  ]

  /// Returns the hash of the bytes, 32 bytes.
  static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    // SHA-256's initial state.
    var state: [UInt32] = [
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    let bitCount = UInt64(bytes.count) &* 8
    var padded = [UInt8](toBePadded: bytes)
    defer {
      padded.wipe()
      state.wipe()
    }
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    padded[padded.count - 1] |= 1
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    for start in stride(from: 0, to: padded.count, by: 64) {
      // The counter is the number of message bits so far, and zero for a block of padding only.
      let count = start < bytes.count ? UInt64(min(start + 64, bytes.count)) &* 8 : 0
      compress(&state, padded[start..<start + 64], counter: count)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>, counter: UInt64) {
    var words = (0..<16).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + 4 * word + $1]) }
    }
    var v = state + constants[..<8]
    defer {
      words.wipe()
      v.wipe()
    }
    let low = UInt32(truncatingIfNeeded: counter)
    let high = UInt32(truncatingIfNeeded: counter >> 32)
    v[12] ^= low
    v[13] ^= low
    v[14] ^= high
    v[15] ^= high
    for round in 0..<14 {
      let order = orders[round % 10]
      for (place, (a, b, c, d)) in quarters.enumerated() {
        let first = order[2 * place]
        let second = order[2 * place + 1]
        v[a] = v[a] &+ v[b] &+ (words[first] ^ constants[second])
        v[d] = turned(v[d] ^ v[a], 16)
        v[c] = v[c] &+ v[d]
        v[b] = turned(v[b] ^ v[c], 12)
        v[a] = v[a] &+ v[b] &+ (words[second] ^ constants[first])
        v[d] = turned(v[d] ^ v[a], 8)
        v[c] = v[c] &+ v[d]
        v[b] = turned(v[b] ^ v[c], 7)
      }
    }
    for place in 0..<8 { state[place] ^= v[place] ^ v[place + 8] }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }
}
