/// JH-256 in its final form of 42 rounds, one of the four hashes that end CryptoNight.
///
/// Follows the definition literally, with the state as 256 elements of four bits. See the submission to
/// NIST's SHA-3 competition, section 2.
enum JH256 {
  private static let roundCount = 42
  private static let boxes: [[UInt8]] = [
    [9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14],
    [3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8],
  ]

  /// The round constants, 64 elements each: the square root of two, permuted repeatedly.
  private static let roundConstants: [[UInt8]] = {
    let root: [UInt64] = [
      0x6A09_E667_F3BC_C908, 0xB2FB_1366_EA95_7D3E, 0x3ADE_C175_1277_5099, 0xDA2F_590B_0667_322A,
    ]
    var constant = root.flatMap { word in (0..<16).map { UInt8(word >> UInt64(60 - 4 * $0) & 15) } }
    return (0..<roundCount).map { _ in
      defer { round(&constant, selecting: [UInt8](repeating: 0, count: 64)) }
      return constant
    }
  }()

  /// The state before the first block.
  private static let start: [UInt8] = {
    var state = [UInt8](repeating: 0, count: 128)
    // The length of the hash in bits.
    state[0] = 1
    compress(&state, [UInt8](repeating: 0, count: 64)[...])
    return state
  }()

  /// Returns the hash of the bytes, 32 bytes.
  static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    let bitCount = UInt64(bytes.count) &* 8
    var padded = [UInt8](toBePadded: bytes)
    let restCount = padded.count % 64
    padded.append(0x80)
    // Padding is at least 512 bits: a separate block if the message fills its last one.
    while padded.count % 64 != 56 || (restCount != 0 && padded.count < bytes.count - restCount + 120) {
      padded.append(0)
    }
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    var state = start
    defer {
      padded.wipe()
      state.wipe()
    }
    for place in stride(from: 0, to: padded.count, by: 64) { compress(&state, padded[place..<place + 64]) }
    return Array(state.suffix(32))
  }

  private static func compress(_ state: inout [UInt8], _ block: ArraySlice<UInt8>) {
    for (place, byte) in block.enumerated() { state[place] ^= byte }
    var elements = grouped(state)
    defer { elements.wipe() }
    for constant in roundConstants { round(&elements, selecting: constant) }
    separate(elements, into: &state)
    for (place, byte) in block.enumerated() { state[64 + place] ^= byte }
  }

  /// Substitutes each element by one of two boxes, mixes pairs and permutes, for 256 or 64 elements.
  private static func round(_ elements: inout [UInt8], selecting constant: [UInt8]) {
    let count = elements.count
    // A bit of the constant selects the box of one element.
    var mixed = elements.indices.map { place in
      boxes[Int(constant[place / 4] >> (3 - UInt8(place % 4)) & 1)][Int(elements[place])]
    }
    defer { mixed.wipe() }
    for place in stride(from: 0, to: count, by: 2) {
      let b = mixed[place + 1] ^ multiplied(mixed[place])
      mixed[place] ^= multiplied(b)
      mixed[place + 1] = b
    }
    for place in stride(from: 0, to: count, by: 4) { mixed.swapAt(place + 2, place + 3) }
    for place in 0..<count / 2 {
      elements[place] = mixed[2 * place]
      elements[place + count / 2] = mixed[2 * place + 1]
    }
    for place in stride(from: count / 2, to: count, by: 2) { elements.swapAt(place, place + 1) }
  }

  /// Twice an element, in GF(2^4) with x^4 + x + 1.
  private static func multiplied(_ element: UInt8) -> UInt8 { (element << 1 ^ (element >> 3) * 0x13) & 15 }

  private static func bit(_ bytes: [UInt8], _ place: Int) -> UInt8 {
    bytes[place / 8] >> (7 - UInt8(place % 8)) & 1
  }

  /// Groups one bit from each quarter of the state into an element, alternating between the two halves.
  private static func grouped(_ state: [UInt8]) -> [UInt8] {
    (0..<256).map { place in
      let offset = place / 2 + place % 2 * 128
      return (0..<4).reduce(0) { $0 << 1 | bit(state, offset + 256 * $1) }
    }
  }

  private static func separate(_ elements: [UInt8], into state: inout [UInt8]) {
    state.wipe()
    for (place, element) in elements.enumerated() {
      let offset = place / 2 + place % 2 * 128
      for quarter in 0..<4 {
        let target = offset + 256 * quarter
        state[target / 8] |= (element >> (3 - UInt8(quarter)) & 1) << (7 - UInt8(target % 8))
      }
    }
  }
}
