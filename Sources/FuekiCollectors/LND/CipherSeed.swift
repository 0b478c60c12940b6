package import FuekiCrypto
internal import FuekiWallet

/// The 24 words of an LND node: its seed, enciphered with a passphrase, by default `aezeed`.
///
///     version 1 ‖ AEZ(version of its keys 1 ‖ days since Bitcoin's first block 2 ‖ entropy 16 ‖ zeros 4) ‖ salt 5 ‖ CRC-32C 4
///
/// See the package aezeed of LND. The words are from BIP-39 but the phrase is not: another wallet may refuse
/// it or, worse, accept it.
package enum CipherSeed {
  /// Why words are not such a seed.
  package enum Refusal: Error, Equatable {
    /// They are not 24 listed words, or their checksum is wrong.
    case words
    /// Their version is unknown.
    case version(UInt8)
    /// The passphrase is wrong.
    case passphrase
  }

  private static let wordCount = 24
  private static let byteCount = 33
  private static let usualPassphrase = Array("aezeed".utf8)
  /// The cost of LND's key derivation.
  package static let cost = Scrypt.Cost(n: 32768, r: 8, p: 1)
  /// The version of key derivation from the entropy: 1 since Taproot, without effect on channel backups.
  private static let keyVersions: ClosedRange<UInt8> = 0...1

  /// Returns the entropy of the words, followed by an optional passphrase on a separate line.
  ///
  /// - Parameters:
  ///   - text: the user's input.
  ///   - cost: LND's own, except in its test vectors.
  /// - Returns: 16 bytes, the seed of BIP-32's root key.
  /// - Throws: ``Refusal``, or errors of deriving a key.
  package static func entropy(of text: Span<UInt8>, cost: Scrypt.Cost = CipherSeed.cost) throws -> SecretBytes
  {
    let end = passphraseStart(text)
    guard let places = MnemonicEntropy.places(text.extracting(..<end)), places.count == wordCount else {
      throw Refusal.words
    }
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for bit in 0..<8 * byteCount where places[bit / 11] >> (10 - bit % 11) & 1 == 1 {
      bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    let checksum = bytes[29...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard CRC32C.of(bytes[..<29]) == checksum else { throw Refusal.words }
    guard bytes[0] == 0 else { throw Refusal.version(bytes[0]) }
    let typed = text.extracting(end..<text.count).copied().filter { $0 != 0x0A && $0 != 0x0D }
    let passphrase = typed.isEmpty ? usualPassphrase : typed
    let salt = Array(bytes[24..<29])
    let key = try Scrypt.derive(
      from: try SecretBytes(copying: passphrase.span), salt: salt, cost: cost, count: 32)
    let sealed = Array(bytes[1..<24])
    do throws(CryptoError) {
      let plain = try AEZTiny.open(sealed.span, key: key, data: [bytes[0]] + salt, tagByteCount: 4)
      let version = plain.withBytes { $0[0] }
      guard keyVersions.contains(version) else { throw CryptoError.notAuthentic }
      return try plain.copy(3..<19)
    } catch .notAuthentic {
      throw Refusal.passphrase
    }
  }

  /// Whether a text starts with a word rather than an extended key.
  static func isLikely(_ text: Span<UInt8>) -> Bool {
    MnemonicEntropy.places(text.extracting(..<passphraseStart(text)))?.count == wordCount
  }

  /// Returns the start of the line after the 24th word.
  ///
  /// Words may be on separate lines.
  private static func passphraseStart(_ text: Span<UInt8>) -> Int {
    var (count, isInWord) = (0, false)
    for place in text.indices {
      let isBlank = text[place] <= 0x20
      if !isBlank, !isInWord { count += 1 }
      isInWord = !isBlank
      if count >= wordCount, text[place] == 0x0A || text[place] == 0x0D { return place }
    }
    return text.count
  }
}
