internal import FuekiCrypto

/// Decodes a BIP-39 phrase to its entropy, and verifies the checksum.
enum MnemonicEntropy {
  private static let wordByteCountLimit = 16

  /// Returns the entropy of 12 to 24 words; nil for any other text.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  static func of(
    _ text: Span<UInt8>, wordCounts: Set<Int> = [12, 15, 18, 21, 24]
  ) throws(CryptoError) -> SecretBytes? {
    guard let places = places(text), wordCounts.contains(places.count) else { return nil }
    let count = places.count * 4 / 3
    var entropy = try SecretBytes(count: count)
    var checksum: UInt8 = 0
    entropy.withMutableBytes { bytes in
      for bit in 0..<places.count * 11 where places[bit / 11] >> (10 - bit % 11) & 1 == 1 {
        if bit / 8 < count {
          bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
        } else {
          checksum |= 0x80 >> UInt8(bit % 8)
        }
      }
    }
    let expected = entropy.withBytes { SHA256.hash($0).bytes[0] }
    let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (count / 4))
    guard expected & mask == checksum else { return nil }
    return entropy
  }

  /// Returns the list index of each of up to 24 words; nil if a word is not in the list.
  static func places(_ text: Span<UInt8>) -> [Int]? {
    var (places, word) = ([Int](), [UInt8]())
    for index in 0...text.count {
      let byte = index < text.count ? text[index] : 0x20
      guard byte == 0x20 || 0x09...0x0D ~= byte else {
        word.append(byte | 0x20)
        guard word.count <= wordByteCountLimit else { return nil }
        continue
      }
      guard !word.isEmpty else { continue }
      guard places.count < 24, let place = words[word] else { return nil }
      places.append(place)
      word.removeAll(keepingCapacity: true)
    }
    return places
  }

  private static let words: [[UInt8]: Int] = Dictionary(
    uniqueKeysWithValues: EnglishWords.all.enumerated().map { (Array($1.utf8), $0) })
}
