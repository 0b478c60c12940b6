package import FuekiCrypto
internal import FuekiWallet

/// The 24 words of a node of LND: its seed, enciphered with a passphrase that is `aezeed` where nobody chose one.
///
///     version 1 ‖ AEZ(version of its keys 1 ‖ days since Bitcoin's first block 2 ‖ entropy 16 ‖ zeros 4) ‖ salt 5 ‖ CRC-32C 4
///
/// See the package aezeed of LND. The words are BIP-39's, and the phrase is not: another wallet refuses it or, worse, does
/// not.
package enum CipherSeed {
  /// Why words are no such seed.
  package enum Refusal: Error, Equatable {
    /// They are not 24 words of the list, or their checksum is wrong.
    case words
    /// They are of a version that is not known here.
    case version(UInt8)
    /// The passphrase is another one.
    case passphrase
  }

  private static let wordCount = 24
  private static let byteCount = 33
  private static let usualPassphrase = Array("aezeed".utf8)
  /// What LND's derivation of a key costs.
  package static let cost = Scrypt.Cost(n: 32768, r: 8, p: 1)
  /// How keys are derived of the entropy: 1 since Taproot, and in no way that matters to a channel backup.
  private static let keyVersions: ClosedRange<UInt8> = 0...1

  /// The entropy of a text: the words, and in a line of its own behind them the passphrase, where there is one.
  ///
  /// - Parameters:
  ///   - text: what a person typed.
  ///   - cost: other than LND's own in its vectors only.
  /// - Returns: 16 bytes, from which BIP-32's topmost key is made.
  /// - Throws: ``Refusal``, or what deriving a key throws.
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

  /// Whether a text begins with a word rather than with an extended key.
  static func isLikely(_ text: Span<UInt8>) -> Bool {
    MnemonicEntropy.places(text.extracting(..<passphraseStart(text)))?.count == wordCount
  }

  /// Where the line behind the 24th word begins: words may stand in lines of their own.
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
