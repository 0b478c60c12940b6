/// The 24 words of an LND node: its seed, enciphered with a passphrase.
///
///     version 1 ‖ enciphered seed 23 ‖ salt 5 ‖ CRC-32C 4
///
/// See the package aezeed of LND. The words are from BIP-39 but the phrase is not: another wallet may refuse
/// it or, worse, accept it. The seed is not deciphered, so the words of another node have the right form, too.
enum CipherSeed {
  private static let wordCount = 24
  private static let byteCount = 33
  private static let checkedByteCount = 29

  /// Whether a text is 24 listed words with the right checksum, of the known version.
  static func isWhole(_ text: Span<UInt8>) -> Bool {
    guard let places = MnemonicEntropy.places(text), places.count == wordCount else { return false }
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for bit in 0..<8 * byteCount where places[bit / 11] >> (10 - bit % 11) & 1 == 1 {
      bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    let checksum = bytes[checkedByteCount...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return bytes[0] == 0 && CRC32C.of(bytes[..<checkedByteCount]) == checksum
  }
}
