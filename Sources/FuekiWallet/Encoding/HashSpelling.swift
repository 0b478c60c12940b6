package import FoundationEssentials
internal import FuekiCrypto

/// The spellings of a transaction's hash: programs write its digits small or in capitals, and mean the same.
///
/// Of a hash in another encoding, such as Solana's, every letter counts, and there is only the one that it has.
package struct HashSpelling: Hashable, Sendable {
  private static let digitCount = 64

  /// The hash with small digits, packed: the same for all spellings.
  package let small: Data

  /// Takes a packed hash in any spelling.
  package init(_ packed: Data) {
    small = Self.digits(of: packed).map { PackedText.pack($0.prefix + $0.digits) } ?? packed
  }

  /// The spellings that a store may have: small, in capitals, and as given.
  package static func all(of packed: Data) -> [Data] {
    guard let (prefix, digits) = digits(of: packed) else { return [packed] }
    var spellings: [Data] = []
    for text in [prefix + digits, prefix + digits.uppercased()] {
      let spelling = PackedText.pack(text)
      if !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings.contains(packed) ? spellings : spellings + [packed]
  }

  /// The digits in small letters; nil of what is no hexadecimal hash of 32 bytes.
  private static func digits(of packed: Data) -> (prefix: String, digits: String)? {
    guard let text = PackedText.text(packed)?.lowercased() else { return nil }
    let prefix = text.hasPrefix("0x") ? "0x" : ""
    let digits = String(text.dropFirst(prefix.count))
    guard digits.utf8.count == digitCount, Hex.decode(digits) != nil else { return nil }
    return (prefix, digits)
  }
}
