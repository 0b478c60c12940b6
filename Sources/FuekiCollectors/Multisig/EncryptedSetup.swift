internal import FuekiCrypto
internal import FuekiWallet

/// A coordinator's encrypted record of a multisig setup: hexadecimal of ``BSMSCipher``'s format.
struct EncryptedSetup {
  /// The shortest record has its version and a key.
  private static let leastByteCount = BSMSCipher.macByteCount + 64
  private static let byteCountLimit = 64 << 10
  /// The number of words for a token of 64 or 128 bits.
  private static let wordCounts: Set<Int> = [6, 12]

  private let record: [UInt8]

  /// Whether a file in a directory has the right name and only hexadecimal digits.
  static func isLikely(_ beginning: Span<UInt8>, name: [UInt8]) -> Bool {
    name.suffix(4).elementsEqual(".dat".utf8) && beginning.count >= 2 * leastByteCount
      && beginning.indices.allSatisfy { isDigit(beginning[$0]) || beginning[$0] <= 0x20 }
  }

  /// Parses a complete file; nil for another kind of file.
  init?(_ file: Span<UInt8>) {
    guard 2 * Self.leastByteCount...2 * Self.byteCountLimit ~= file.count else { return nil }
    let digits = file.indices.map { file[$0] }.filter { $0 > 0x20 }
    guard digits.allSatisfy(Self.isDigit),
      let record = Hex.decode(String(decoding: digits, as: UTF8.self).lowercased()),
      record.count >= Self.leastByteCount
    else { return nil }
    self.record = record
  }

  /// Decrypts the record with its session's token in any notation.
  ///
  /// - Returns: the record's text; nil if no reading of the token opens it.
  /// - Throws: Errors of deriving a key.
  func open(_ typed: borrowing SecretBytes) throws -> String? {
    for token in try Self.tokens(typed) {
      guard let text = try BSMSCipher.open(record.span, token: token) else { continue }
      return text.withBytes { String(bounded: $0.copied()) }
    }
    return nil
  }

  /// Returns the possible readings of a text: digits in base 16 or 10, or BIP-39 words.
  private static func tokens(_ typed: borrowing SecretBytes) throws -> [[UInt8]] {
    let text = typed.withBytes { $0.copied() }.filter { $0 > 0x20 }
    var tokens: [[UInt8]] = []
    if [16, 32].contains(text.count),
      let bytes = Hex.decode(String(decoding: text, as: UTF8.self).lowercased())
    {
      tokens.append(bytes)
    }
    if let number = DecimalNumber.bytes(text.span) {
      let count = number.prefix(24).allSatisfy { $0 == 0 } ? 8 : 16
      if number.dropLast(count).allSatisfy({ $0 == 0 }) { tokens.append(Array(number.suffix(count))) }
      // A small 128-bit number.
      if count == 8 { tokens.append(Array(number.suffix(16))) }
    }
    if let entropy = try typed.withBytes({ try MnemonicEntropy.of($0, wordCounts: wordCounts) }) {
      tokens.append(entropy.withBytes { $0.copied() })
    }
    return tokens
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte || 0x41...0x46 ~= byte
  }
}
