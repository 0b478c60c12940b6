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
  static let characterCountLimit = 90

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

/// The steps of Bech32, in place and without data-dependent tables or branches, because private keys use it
/// too.
enum Bech32Code {
  static let checksumLength = 6
  static let separator = UInt8(ascii: "1")

  /// The polynomial remainder, which a valid checksum makes one of two constants.
  struct Remainder {
    private(set) var value: UInt32 = 1

    mutating func take(_ symbol: UInt8) {
      let top = value >> 25
      value = (value & 0x01ff_ffff) << 5 ^ UInt32(symbol)
      value ^= 0x3b6a_57b2 & (0 &- (top & 1))
      value ^= 0x2650_8e6d & (0 &- (top >> 1 & 1))
      value ^= 0x1ea1_19fa & (0 &- (top >> 2 & 1))
      value ^= 0x3d42_33dd & (0 &- (top >> 3 & 1))
      value ^= 0x2a14_62b3 & (0 &- (top >> 4 & 1))
    }

    /// Adds the readable part and the separator from the data.
    mutating func take(readablePart: Span<UInt8>) {
      for index in readablePart.indices { take(Bech32Code.small(readablePart[index]) >> 5) }
      take(0)
      for index in readablePart.indices { take(Bech32Code.small(readablePart[index]) & 31) }
    }

    /// Returns the checksum of the data added so far, six symbols with the first one highest.
    mutating func finish(_ checksum: Bech32.Checksum) -> UInt32 {
      for _ in 0..<checksumLength { take(0) }
      return value ^ checksum.constant
    }
  }

  /// The checksum character at a place, counted from 0.
  static func character(at place: Int, ofChecksum check: UInt32) -> UInt8 {
    character(of: UInt8(check >> UInt32(25 - 5 * place) & 31))
  }

  /// Verifies the checksum and finds the separator before the data.
  static func check(
    _ text: Span<UInt8>, limit: Int = Bech32.characterCountLimit
  ) throws(Bech32Error) -> (separator: Int, checksum: Bech32.Checksum) {
    guard text.count <= limit else { throw .wrongLength }
    var (hasCapital, hasSmall) = (false, false)
    var separator: Int?
    for index in text.indices {
      let character = text[index]
      guard 33...126 ~= character else { throw .invalidCharacter }
      if 0x41...0x5a ~= character { hasCapital = true }
      if 0x61...0x7a ~= character { hasSmall = true }
      if character == Self.separator { separator = index }
    }
    guard !hasCapital || !hasSmall else { throw .mixedCase }
    guard let separator else { throw .noSeparator }
    guard separator > 0, text.count - separator > checksumLength else { throw .wrongLength }
    var remainder = Remainder()
    remainder.take(readablePart: text.extracting(..<separator))
    var wrong: UInt8 = 0
    for index in (separator + 1)..<text.count {
      let symbol = symbol(of: text[index])
      wrong |= symbol & 0x80
      remainder.take(symbol & 31)
    }
    guard wrong == 0 else { throw .invalidCharacter }
    switch remainder.value {
    case Bech32.Checksum.bech32.constant: return (separator, .bech32)
    case Bech32.Checksum.bech32m.constant: return (separator, .bech32m)
    default: throw .wrongChecksum
    }
  }

  /// The five-bit value of a character in either case; 0xff for a character outside the alphabet.
  static func symbol(of character: UInt8) -> UInt8 {
    let wanted = small(character)
    var found: UInt8 = 0xff
    for symbol in 0..<32 {
      let difference = UInt32(alphabet[symbol] ^ wanted)
      let isSame = UInt8(truncatingIfNeeded: (difference &- 1) >> 8)
      found = (UInt8(symbol) & isSame) | (found & ~isSame)
    }
    return found
  }

  /// The lower-case character for five bits.
  static func character(of symbol: UInt8) -> UInt8 {
    var found: UInt8 = 0
    for index in 0..<32 {
      let difference = UInt32(UInt8(index) ^ symbol)
      found |= alphabet[index] & UInt8(truncatingIfNeeded: (difference &- 1) >> 8)
    }
    return found
  }

  /// The lower case of an ASCII letter; any other byte unchanged.
  static func small(_ character: UInt8) -> UInt8 {
    0x41...0x5a ~= character ? character | 0x20 : character
  }

  private static let alphabet: InlineArray<32, UInt8> = [
    0x71, 0x70, 0x7a, 0x72, 0x79, 0x39, 0x78, 0x38, 0x67, 0x66, 0x32, 0x74, 0x76, 0x64, 0x77, 0x30,
    0x73, 0x33, 0x6a, 0x6e, 0x35, 0x34, 0x6b, 0x68, 0x63, 0x65, 0x36, 0x6d, 0x75, 0x61, 0x37, 0x6c,
  ]
}

/// Why a text is not valid Bech32.
public enum Bech32Error: Error, Equatable, Sendable {
  /// It is longer than the encoding allows, has no readable part, or is too short for a checksum.
  case wrongLength
  /// It has a character outside the encoding's alphabet.
  case invalidCharacter
  /// It mixes upper and lower case.
  case mixedCase
  /// It has no digit 1 between the readable part and the data.
  case noSeparator
  /// Its checksum does not verify: a character is wrong.
  case wrongChecksum
}
