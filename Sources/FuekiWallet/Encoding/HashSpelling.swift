package import FoundationEssentials
internal import FuekiCrypto

/// A transaction hash independent of its spelling: programs write hexadecimal digits in either case.
///
/// A hash in another encoding, such as Solana's, is case-sensitive and has only its own spelling.
package struct HashSpelling: Hashable, Sendable {
  private static let digitCount = 64

  /// The packed hash with lower-case digits, the same for all spellings.
  package let small: Data

  /// Normalises a packed hash.
  package init(_ packed: Data) {
    small = Self.digits(of: packed).map { PackedText.pack($0.prefix + $0.digits) } ?? packed
  }

  /// Returns the spellings that a store may have: lower case, upper case, and as given.
  package static func all(of packed: Data) -> [Data] {
    guard let (prefix, digits) = digits(of: packed) else { return [packed] }
    var spellings: [Data] = []
    for text in [prefix + digits, prefix + digits.uppercased()] {
      let spelling = PackedText.pack(text)
      if !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings.contains(packed) ? spellings : spellings + [packed]
  }

  /// Returns the prefix and the lower-case digits; nil unless it is a hexadecimal hash of 32 bytes.
  private static func digits(of packed: Data) -> (prefix: String, digits: String)? {
    guard let text = PackedText.text(packed)?.lowercased() else { return nil }
    let prefix = text.hasPrefix("0x") ? "0x" : ""
    let digits = String(text.dropFirst(prefix.count))
    guard digits.utf8.count == digitCount, Hex.decode(digits) != nil else { return nil }
    return (prefix, digits)
  }
}
