internal import FuekiCrypto
internal import FuekiWallet

/// A record of a multisig setup as coordinators send it encrypted: hexadecimal digits of ``BSMSCipher``'s form.
struct EncryptedSetup {
  /// The shortest record has its version and a key.
  private static let leastByteCount = BSMSCipher.macByteCount + 64
  private static let byteCountLimit = 64 << 10
  /// Words of a token of 64 or 128 bits.
  private static let wordCounts: Set<Int> = [6, 12]

  private let record: [UInt8]

  /// Whether a file in a folder is named as one, and has digits only.
  static func isLikely(_ beginning: Span<UInt8>, name: [UInt8]) -> Bool {
    name.suffix(4).elementsEqual(".dat".utf8) && beginning.count >= 2 * leastByteCount
      && beginning.indices.allSatisfy { isDigit(beginning[$0]) || beginning[$0] <= 0x20 }
  }

  /// Reads a whole file; nil for another one.
  init?(_ file: Span<UInt8>) {
    guard 2 * Self.leastByteCount...2 * Self.byteCountLimit ~= file.count else { return nil }
    let digits = file.indices.map { file[$0] }.filter { $0 > 0x20 }
    guard digits.allSatisfy(Self.isDigit),
      let record = Hex.decode(String(decoding: digits, as: UTF8.self).lowercased()),
      record.count >= Self.leastByteCount
    else { return nil }
    self.record = record
  }

  /// Opens the record with its session's token, in whichever of its spellings.
  ///
  /// - Returns: the record's text; nil where no spelling of the token opens it.
  /// - Throws: What deriving a key throws.
  func open(_ typed: borrowing SecretBytes) throws -> String? {
    for token in try Self.tokens(typed) {
      guard let text = try BSMSCipher.open(record.span, token: token) else { continue }
      return text.withBytes { String(validating: $0.copied(), as: UTF8.self) }
    }
    return nil
  }

  /// What a text may be: digits in base 16 or 10, or words of BIP-39.
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
      // A small number of 128 bits.
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
