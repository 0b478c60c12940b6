/// Grøstl-256 in its final form, one of the four hashes that end CryptoNight.
///
/// The state is eight columns of eight bytes; see the submission to NIST's SHA-3 competition, section 3.
enum Groestl256 {
  private static let blockByteCount = 64
  private static let roundCount: UInt8 = 10
  /// The rotation of each row, in each of the two permutations.
  private static let shiftsP = [0, 1, 2, 3, 4, 5, 6, 7]
  private static let shiftsQ = [1, 3, 5, 7, 0, 2, 4, 6]
  /// The first row of the column-mixing matrix.
  ///
  /// Each later row is rotated by one more.
  private static let factors: [UInt8] = [2, 2, 3, 4, 5, 3, 5, 7]

  /// Returns the hash of the bytes, 32 bytes.
  static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    var padded = [UInt8](toBePadded: bytes)
    padded.append(0x80)
    while padded.count % blockByteCount != blockByteCount - 8 { padded.append(0) }
    let blockCount = UInt64(padded.count / blockByteCount + 1)
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: blockCount >> UInt64(shift)))
    }
    // The initial state encodes the hash's length in bits.
    var state = [UInt8](repeating: 0, count: blockByteCount)
    state[62] = 1
    defer {
      padded.wipe()
      state.wipe()
    }
    for start in stride(from: 0, to: padded.count, by: blockByteCount) {
      var q = Array(padded[start..<start + blockByteCount])
      var p = q
      add(state, to: &p)
      defer {
        p.wipe()
        q.wipe()
      }
      permute(&p, isP: true)
      permute(&q, isP: false)
      add(p, to: &state)
      add(q, to: &state)
    }
    var last = state
    permute(&last, isP: true)
    add(state, to: &last)
    defer { last.wipe() }
    return Array(last.suffix(32))
  }

  private static func add(_ other: [UInt8], to block: inout [UInt8]) {
    for place in block.indices { block[place] ^= other[place] }
  }

  private static func permute(_ state: inout [UInt8], isP: Bool) {
    let shifts = isP ? shiftsP : shiftsQ
    var old = state
    defer { old.wipe() }
    for round in 0..<roundCount {
      for column in 0..<8 {
        let constant = UInt8(column) << 4 ^ round
        if isP {
          state[8 * column] ^= constant
        } else {
          for row in 0..<8 { state[8 * column + row] ^= 0xFF }
          state[8 * column + 7] ^= constant
        }
      }
      for place in state.indices { old[place] = AESRounds.substitution[Int(state[place])] }
      for column in 0..<8 {
        for row in 0..<8 {
          state[8 * column + row] = (0..<8).reduce(0) {
            let moved = old[8 * ((column + shifts[$1]) % 8) + $1]
            return $0 ^ AESRounds.multiplied(moved, factors[($1 + 8 - row) % 8])
          }
        }
      }
    }
  }
}
