/// Grøstl-256 in its final form, one of the four hashes that end CryptoNight.
///
/// The state is eight columns of eight bytes; see the submission to NIST's SHA-3 competition, section 3.
enum Groestl256 {
  private static let blockByteCount = 64
  private static let roundCount: UInt8 = 10
  /// How far each row turns, in the two permutations.
  private static let shiftsP = [0, 1, 2, 3, 4, 5, 6, 7]
  private static let shiftsQ = [1, 3, 5, 7, 0, 2, 4, 6]
  /// The first row of the matrix that mixes a column; each other row is turned one further.
  private static let factors: [UInt8] = [2, 2, 3, 4, 5, 3, 5, 7]

  /// Hashes bytes to 32.
  static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    var padded = bytes.indices.map { bytes[$0] }
    padded.append(0x80)
    while padded.count % blockByteCount != blockByteCount - 8 { padded.append(0) }
    let blockCount = UInt64(padded.count / blockByteCount + 1)
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: blockCount >> UInt64(shift)))
    }
    // It begins with the length of the hash in bits.
    var state = [UInt8](repeating: 0, count: blockByteCount)
    state[62] = 1
    for start in stride(from: 0, to: padded.count, by: blockByteCount) {
      let block = Array(padded[start..<start + blockByteCount])
      let p = permuted(sum(state, block), isP: true)
      state = sum(state, sum(p, permuted(block, isP: false)))
    }
    return Array(sum(permuted(state, isP: true), state).suffix(32))
  }

  private static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { zip(a, b).map { $0 ^ $1 } }

  private static func permuted(_ block: [UInt8], isP: Bool) -> [UInt8] {
    var state = block
    let shifts = isP ? shiftsP : shiftsQ
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
      let old = state.map { AESRounds.substitution[Int($0)] }
      for column in 0..<8 {
        let moved = (0..<8).map { old[8 * ((column + shifts[$0]) % 8) + $0] }
        for row in 0..<8 {
          state[8 * column + row] = (0..<8).reduce(0) {
            $0 ^ AESRounds.multiplied(moved[$1], factors[($1 + 8 - row) % 8])
          }
        }
      }
    }
    return state
  }
}
