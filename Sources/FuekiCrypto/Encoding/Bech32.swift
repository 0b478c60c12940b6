/// A Bech32 text: a readable part, five-bit values, and a checksum that detects up to four wrong characters.
///
/// See BIP-173 and BIP-350.
public struct Bech32: Equatable, Sendable {
  /// The checksum variants.
  public enum Checksum: Sendable {
    /// BIP-173's, for witness version 0.
    case bech32
    /// BIP-350's, for later versions.
    case bech32m

    var constant: UInt32 {
      switch self {
      case .bech32: 1
      case .bech32m: 0x2bc8_30a3
      }
    }
  }

  /// The length limit of a text, in characters.
  public static let characterCountLimit = 90

  /// The readable part, in lower case.
  public let readablePart: String
  /// The data, each value below 32, without the checksum.
  public let values: [UInt8]
  /// The checksum variant of the text.
  public let checksum: Checksum

  /// Creates a text from its parts; nil for values above five bits or an invalid readable part.
  public init?(readablePart: String, values: [UInt8], checksum: Checksum) {
    let readable = Array(readablePart.utf8)
    guard !readable.isEmpty, readable.allSatisfy({ 33...126 ~= $0 && !(0x41...0x5a ~= $0) }) else {
      return nil
    }
    guard values.allSatisfy({ $0 < 32 }) else { return nil }
    guard readable.count + 7 + values.count <= Self.characterCountLimit else { return nil }
    self.readablePart = readablePart
    self.values = values
    self.checksum = checksum
  }

  /// Reads a text in lower or upper case.
  ///
  /// - Throws: ``Bech32Error`` if the text violates BIP-173.
  public init(_ text: String) throws(Bech32Error) {
    let characters = Array(text.utf8)
    let (separator, checksum) = try Bech32Code.check(characters.span)
    readablePart = String(decoding: characters[..<separator].map(Bech32Code.small), as: UTF8.self)
    values = characters[(separator + 1)...].dropLast(Bech32Code.checksumLength).map(Bech32Code.symbol)
    self.checksum = checksum
  }

  /// The text in lower case.
  public var text: String {
    let readable = Array(readablePart.utf8)
    var remainder = Bech32Code.Remainder()
    remainder.take(readablePart: readable.span)
    for value in values { remainder.take(value) }
    let check = remainder.finish(checksum)
    let data =
      values.map(Bech32Code.character)
      + (0..<Bech32Code.checksumLength).map { Bech32Code.character(at: $0, ofChecksum: check) }
    return String(decoding: readable + [Bech32Code.separator] + data, as: UTF8.self)
  }
}
