/// Skein-512 with 256 bits of output, one of the four hashes that end CryptoNight.
///
/// See the submission to NIST's SHA-3 competition, version 1.3, section 3.
enum Skein512 {
  private static let rotations: [[UInt64]] = [
    [46, 36, 19, 37], [33, 27, 14, 42], [17, 49, 36, 39], [44, 9, 54, 56],
    [39, 30, 34, 24], [13, 50, 10, 17], [25, 29, 39, 43], [8, 35, 56, 22],
  ]
  private static let permutation = [2, 1, 4, 7, 6, 5, 0, 3]
  private static let keyParity: UInt64 = 0x1BD1_1BDA_A9FC_1A22

  /// The block type in the tweak's highest byte, below the flags for first and last.
  private enum Purpose: UInt64 {
    case configuration = 4
    case message = 48
    case output = 63
  }

  /// The state after the configuration: "SHA3", version 1, 256 bits of output, no tree.
  private static let start: [UInt64] = {
    var state = [UInt64](repeating: 0, count: 8)
    let configuration = Array("SHA3".utf8) + [1, 0, 0, 0] + [0, 1] + [UInt8](repeating: 0, count: 22)
    chain(&state, configuration.span, .configuration)
    return state
  }()

  /// Returns the hash of the bytes, 32 bytes.
  static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    var state = start
    defer { state.wipe() }
    chain(&state, bytes, .message)
    let counter = [UInt8](repeating: 0, count: 8)
    chain(&state, counter.span, .output)
    return state.prefix(4).flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
  }

  /// Unique block iteration.
  private static func chain(_ state: inout [UInt64], _ bytes: Span<UInt8>, _ purpose: Purpose) {
    var words = [UInt64](repeating: 0, count: 8)
    var mixed = words
    defer {
      words.wipe()
      mixed.wipe()
    }
    var start = 0
    repeat {
      let end = min(start + 64, bytes.count)
      let first: UInt64 = start == 0 ? 1 << 62 : 0
      let last: UInt64 = end == bytes.count ? 1 << 63 : 0
      words.wipe()
      for place in start..<end { words[(place - start) / 8] |= UInt64(bytes[place]) << UInt64(place % 8 * 8) }
      for place in 0..<8 { mixed[place] = words[place] }
      encrypt(&mixed, key: state, tweak: [UInt64(end), purpose.rawValue << 56 | first | last])
      for place in 0..<8 { state[place] = mixed[place] ^ words[place] }
      start = end
    } while start < bytes.count
  }

  /// Threefish-512: 72 rounds, with a key before each four of them.
  private static func encrypt(_ v: inout [UInt64], key: [UInt64], tweak: [UInt64]) {
    var keys = key + [key.reduce(keyParity) { $0 ^ $1 }]
    let tweaks = tweak + [tweak[0] ^ tweak[1]]
    var moved = [UInt64](repeating: 0, count: 8)
    defer {
      keys.wipe()
      moved.wipe()
    }
    func add(_ number: Int) {
      for place in 0..<8 { v[place] = v[place] &+ keys[(number + place) % 9] }
      v[5] = v[5] &+ tweaks[number % 3]
      v[6] = v[6] &+ tweaks[(number + 1) % 3]
      v[7] = v[7] &+ UInt64(number)
    }
    for round in 0..<72 {
      if round % 4 == 0 { add(round / 4) }
      for pair in 0..<4 {
        let count = rotations[round % 8][pair]
        v[2 * pair] = v[2 * pair] &+ v[2 * pair + 1]
        let turned = v[2 * pair + 1] << count | v[2 * pair + 1] >> (64 - count)
        v[2 * pair + 1] = turned ^ v[2 * pair]
      }
      for place in 0..<8 { moved[place] = v[permutation[place]] }
      swap(&v, &moved)
    }
    add(18)
  }
}
