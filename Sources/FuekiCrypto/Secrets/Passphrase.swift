/// A passphrase in the one spelling that keys are derived from: Unicode NFKC, then UTF-8, 1…1024 bytes, no U+0000.
///
/// See fueki-archive(5), slots.
public struct Passphrase: ~Copyable, Sendable {
  /// The most bytes a normalised passphrase has.
  public static let byteCountLimit = 1024

  /// The normalised bytes.
  public let bytes: SecretBytes

  /// Normalises what was typed, read or printed by a command; a line's end is not part of it and must be gone.
  ///
  /// ASCII is copied from secret to secret. Other text passes through a string, which cannot be wiped, because
  /// only Foundation knows the tables.
  ///
  /// - Throws: ``CryptoError/invalidPassphrase(_:)``, or what making a ``SecretBytes`` throws.
  public init(normalising bytes: borrowing SecretBytes) throws(CryptoError) {
    try Self.check(bytes, limit: Self.byteCountLimit * 8)
    let isASCII = bytes.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] < 0x80 } }
    let normalised = isASCII ? try bytes.copy(0..<bytes.count) : try CompatibilityForm.normalise(bytes)
    try Self.check(normalised, limit: Self.byteCountLimit)
    self.bytes = normalised
  }

  /// Draws a passphrase of 100 random bits, as five groups of four digits and letters that look unlike one another.
  ///
  /// - Throws: What making a ``SecretBytes`` throws.
  public static func generated() throws(CryptoError) -> Passphrase {
    let symbols = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    let groupCount = 5
    let groupLength = 4
    let random = try SecretBytes.random(count: groupCount * groupLength)
    var text = try SecretBytes(count: groupCount * (groupLength + 1) - 1)
    text.withMutableBytes { text in
      random.withBytes { random in
        for index in text.indices {
          let (group, place) = index.quotientAndRemainder(dividingBy: groupLength + 1)
          // 32 symbols divide 256 evenly, so the low five bits are unbiased.
          text[index] =
            place == groupLength
            ? UInt8(ascii: "-") : symbols[Int(random[group * groupLength + place] & 31)]
        }
      }
    }
    return try Passphrase(normalising: text)
  }

  private static func check(_ bytes: borrowing SecretBytes, limit: Int) throws(CryptoError) {
    guard bytes.count > 0 else { throw .invalidPassphrase(.empty) }
    guard bytes.count <= limit else { throw .invalidPassphrase(.tooLong) }
    let hasNUL = bytes.withBytes { bytes in bytes.indices.contains { bytes[$0] == 0 } }
    guard !hasNUL else { throw .invalidPassphrase(.containsNUL) }
  }
}
