internal import CSodium

/// ChaCha with its original nonce of eight bytes, as in Monero's files.
///
/// It is not authenticated.
///
/// See D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008. Archives use ``XChaCha20Poly1305``.
public enum ChaChaStream {
  /// The number of rounds.
  public enum Rounds: Int, Sendable {
    /// ChaCha8.
    case eight = 8
    /// ChaCha20.
    case twenty = 20
  }

  /// The length of a nonce.
  public static let nonceByteCount = 8
  /// The length of a key.
  static let keyByteCount = 32

  private static let wordCount = 16
  /// "expand 32-byte k".
  private static let constants: [UInt32] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574]
  private static let quarters: [(Int, Int, Int, Int)] = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
  ]

  /// Encrypts or decrypts with the key stream from its start.
  ///
  /// - Throws: ``CryptoError/invalidKey`` or ``CryptoError/invalidLength`` for another length of key or
  ///   nonce, or the errors of ``SecretBytes/init(count:)``.
  public static func apply(
    _ text: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], rounds: Rounds
  ) throws(CryptoError) -> SecretBytes {
    guard key.count == keyByteCount else { throw .invalidKey }
    guard nonce.count == nonceByteCount else { throw .invalidLength }
    var output = try SecretBytes(count: text.count)
    // A block's input, followed by its output.
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * wordCount)
    unsafe words.initialize(repeating: 0, count: 2 * wordCount)
    defer {
      unsafe sodium_memzero(words, 2 * wordCount * MemoryLayout<UInt32>.size)
      unsafe words.deallocate()
    }
    for place in 0..<4 { unsafe words[place] = constants[place] }
    key.withBytes { bytes in
      for place in 0..<keyByteCount { unsafe words[4 + place / 4] |= UInt32(bytes[place]) << (place % 4 * 8) }
    }
    for place in 0..<nonceByteCount {
      unsafe words[14 + place / 4] |= UInt32(nonce[place]) << (place % 4 * 8)
    }
    output.withMutableBytes { output in
      for start in stride(from: 0, to: text.count, by: 4 * wordCount) {
        unsafe mix(words, rounds)
        for place in start..<min(start + 4 * wordCount, text.count) {
          let word = unsafe words[wordCount + (place - start) / 4]
          output[place] = text[place] ^ UInt8(truncatingIfNeeded: word >> (place % 4 * 8))
        }
        unsafe words[12] &+= 1
        if unsafe words[12] == 0 { unsafe words[13] &+= 1 }
      }
    }
    return output
  }

  /// Computes a block of the key stream in the second half from its input in the first.
  private static func mix(_ words: UnsafeMutablePointer<UInt32>, _ rounds: Rounds) {
    let v = unsafe words + wordCount
    unsafe v.update(from: words, count: wordCount)
    for _ in 0..<rounds.rawValue / 2 {
      for (a, b, c, d) in quarters {
        unsafe v[a] &+= v[b]
        unsafe v[d] = turned(v[d] ^ v[a], 16)
        unsafe v[c] &+= v[d]
        unsafe v[b] = turned(v[b] ^ v[c], 12)
        unsafe v[a] &+= v[b]
        unsafe v[d] = turned(v[d] ^ v[a], 8)
        unsafe v[c] &+= v[d]
        unsafe v[b] = turned(v[b] ^ v[c], 7)
      }
    }
    for place in 0..<wordCount { unsafe v[place] &+= words[place] }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
