internal import Foundation

/// A passphrase normalised for key derivation: Unicode NFKC, then UTF-8, 1…1024 bytes, no U+0000.
///
/// See fueki-archive(5), slots.
public struct Passphrase: ~Copyable, Sendable {
  /// The most bytes a normalised passphrase has.
  static let byteCountLimit = 1024

  /// The normalised bytes.
  public let bytes: SecretBytes

  /// The characters of a generated passphrase.
  private static let symbols = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let groupCount = 5
  private static let groupLength = 4

  /// Normalises a passphrase that was typed, read or printed by a command, without its line end.
  ///
  /// ASCII is copied from secret to secret. Other text passes through a string, which cannot be wiped,
  /// because only Foundation has the tables.
  ///
  /// - Throws: ``CryptoError/invalidPassphrase(_:)``, or the errors of ``SecretBytes/init(count:)``.
  public init(normalising bytes: borrowing SecretBytes) throws(CryptoError) {
    try Self.check(bytes, limit: Self.byteCountLimit * 8)
    let isASCII = bytes.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] < 0x80 } }
    let normalised = isASCII ? try bytes.copy(0..<bytes.count) : try CompatibilityForm.normalise(bytes)
    try Self.check(normalised, limit: Self.byteCountLimit)
    self.bytes = normalised
  }

  /// Draws a passphrase of 100 random bits: five groups of four unambiguous digits and letters.
  ///
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  public static func generated() throws(CryptoError) -> Passphrase {
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

  /// Returns a typed generated passphrase as ``generated()`` writes it: in lower case, with hyphens.
  ///
  /// People type it in upper case, and with spaces or other dashes in place of hyphens.
  ///
  /// - Returns: the passphrase; nil if the text has another shape or needs no change.
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  public static func generatedForm(of text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    guard text.count <= 4 * groupCount * (groupLength + 1) else { return nil }
    var form = try SecretBytes(count: groupCount * (groupLength + 1) - 1)
    let end = text.withBytes { text in form.withMutableBytes { form in writeGenerated(text, to: &form) } }
    guard end == form.count, !form.isEqualInConstantTime(to: text) else { return nil }
    return form
  }

  /// Writes a text's symbols in groups, and returns their end; -1 for a text of another shape.
  private static func writeGenerated(_ text: Span<UInt8>, to form: inout MutableSpan<UInt8>) -> Int {
    var (end, isSeparated) = (0, false)
    var place = 0
    while place < text.count {
      let separator = separatorLength(text, at: place)
      guard separator == 0 else {
        isSeparated = true
        place += separator
        continue
      }
      let letter = 0x41...0x5A ~= text[place] ? text[place] | 0x20 : text[place]
      let isAtGroup = end % (groupLength + 1) == groupLength
      // A group ends only when it is full.
      guard symbols.contains(letter), end == 0 || isAtGroup == isSeparated,
        end + (isAtGroup ? 1 : 0) < form.count
      else { return -1 }
      if isAtGroup {
        form[end] = UInt8(ascii: "-")
        end += 1
      }
      form[end] = letter
      (end, isSeparated) = (end + 1, false)
      place += 1
    }
    return end
  }

  /// The length in bytes of a space or dash; 0 for anything else.
  private static func separatorLength(_ text: Span<UInt8>, at place: Int) -> Int {
    switch text[place] {
    case UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\t"): 1
    // U+2010 to U+2015, which programs substitute for a hyphen.
    case 0xE2 where place + 2 < text.count && text[place + 1] == 0x80 && 0x90...0x95 ~= text[place + 2]: 3
    default: 0
    }
  }

  private static func check(_ bytes: borrowing SecretBytes, limit: Int) throws(CryptoError) {
    guard bytes.count > 0 else { throw .invalidPassphrase(.empty) }
    guard bytes.count <= limit else { throw .invalidPassphrase(.tooLong) }
    let hasNUL = bytes.withBytes { bytes in bytes.indices.contains { bytes[$0] == 0 } }
    guard !hasNUL else { throw .invalidPassphrase(.containsNUL) }
  }
}

/// Passwords of validators' keystores.
///
/// See EIP-2335, "Password requirements".
public enum KeystorePassword {
  private static let byteCountLimit = 8192

  /// Returns the input to key derivation: Unicode NFKD without control characters, as UTF-8.
  ///
  /// ASCII stays in protected memory. Other text passes through a string, because only Foundation has the
  /// tables.
  ///
  /// - Throws: ``CryptoError/invalidPassphrase(_:)`` if it is not text or too long, or the errors of
  ///   ``SecretBytes/init(count:)``.
  public static func form(of password: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    guard password.count <= byteCountLimit else { throw .invalidPassphrase(.tooLong) }
    let isASCII = password.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] < 0x80 } }
    guard isASCII else { return try CompatibilityForm.decomposedWithoutControls(password) }
    var kept = try SecretBytes(count: password.count)
    let count = password.withBytes { bytes in
      kept.withMutableBytes { kept in
        var count = 0
        for index in bytes.indices where bytes[index] >= 0x20 && bytes[index] != 0x7F {
          kept[count] = bytes[index]
          count += 1
        }
        return count
      }
    }
    return try kept.copy(0..<count)
  }
}

/// Unicode compatibility normalisation, for text that is not ASCII.
enum CompatibilityForm {
  /// Normalises UTF-8 bytes.
  static func normalise(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let text = bytes.withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    guard let text else { throw .invalidPassphrase(.notText) }
    let normalised = Array(text.precomposedStringWithCompatibilityMapping.utf8)
    return try SecretBytes(copying: normalised.span)
  }

  /// Decomposes UTF-8 bytes, form KD, and removes the control characters C0, C1 and Delete.
  static func decomposedWithoutControls(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let text = bytes.withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    guard let text else { throw .invalidPassphrase(.notText) }
    var kept = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars
    where scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value) {
      kept.append(scalar)
    }
    return try SecretBytes(copying: Array(String(kept).utf8).span)
  }
}

extension String {
  /// The text in Unicode form KD, which Foundation alone makes.
  package var compatibilityDecomposition: String { decomposedStringWithCompatibilityMapping }
}

/// Why a passphrase is refused.
public enum PassphraseProblem: Error, Hashable {
  /// It has no characters.
  case empty
  /// It is longer than 1024 bytes once normalised.
  case tooLong
  /// It contains U+0000.
  case containsNUL
  /// It is not UTF-8.
  case notText
}
