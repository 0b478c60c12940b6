/// A text with a readable part, data of five-bit values, and a checksum that finds any four wrong characters.
///
/// See BIP-173 and BIP-350.
public struct Bech32: Equatable, Sendable {
  /// Which of the two checksums a text has.
  public enum Checksum: Sendable {
    /// That of BIP-173, for witness version 0.
    case bech32
    /// That of BIP-350, for later versions.
    case bech32m

    var constant: UInt32 {
      switch self {
      case .bech32: 1
      case .bech32m: 0x2bc8_30a3
      }
    }
  }

  /// The most characters that a text may have.
  public static let characterCountLimit = 90

  /// The readable part, in small letters.
  public let readablePart: String
  /// The data, each value below 32, without the checksum.
  public let values: [UInt8]
  /// Which checksum the text has.
  public let checksum: Checksum

  /// Makes what ``text`` encodes; nil for values of more than five bits, or a readable part that is none.
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

  /// Reads a text in small letters or in capitals.
  ///
  /// - Throws: ``AddressProblem`` for what breaks BIP-173.
  public init(_ text: String) throws(AddressProblem) {
    var characters = Array(text.utf8)
    guard characters.count <= Self.characterCountLimit else { throw .wrongLength }
    guard characters.allSatisfy({ 33...126 ~= $0 }) else { throw .invalidCharacter }
    let hasCapital = characters.contains { 0x41...0x5a ~= $0 }
    guard !hasCapital || !characters.contains(where: { 0x61...0x7a ~= $0 }) else { throw .mixedCase }
    if hasCapital { characters = characters.map { 0x41...0x5a ~= $0 ? $0 + 0x20 : $0 } }
    guard let separator = characters.lastIndex(of: 0x31) else { throw .unrecognised }
    guard separator > 0, characters.count - separator > 6 else { throw .wrongLength }
    let readable = Array(characters[..<separator])
    let values = characters[(separator + 1)...].map { Self.values[Int($0)] }
    guard !values.contains(0xff) else { throw .invalidCharacter }
    switch Self.polymod(Self.expanded(readable) + values) {
    case Checksum.bech32.constant: checksum = .bech32
    case Checksum.bech32m.constant: checksum = .bech32m
    default: throw .wrongChecksum
    }
    readablePart = String(decoding: readable, as: UTF8.self)
    self.values = Array(values.dropLast(6))
  }

  /// The text in small letters.
  public var text: String {
    let readable = Array(readablePart.utf8)
    let zeros = [UInt8](repeating: 0, count: 6)
    let remainder = Self.polymod(Self.expanded(readable) + values + zeros) ^ checksum.constant
    let check = (0..<6).map { UInt8(remainder >> UInt32(25 - 5 * $0) & 31) }
    let data = (values + check).map { Self.alphabet[Int($0)] }
    return String(decoding: readable + [0x31] + data, as: UTF8.self)
  }

  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xff, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  private static func expanded(_ readable: [UInt8]) -> [UInt8] {
    readable.map { $0 >> 5 } + [0] + readable.map { $0 & 31 }
  }

  private static func polymod(_ values: [UInt8]) -> UInt32 {
    let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    var remainder: UInt32 = 1
    for value in values {
      let top = remainder >> 25
      remainder = (remainder & 0x01ff_ffff) << 5 ^ UInt32(value)
      for (i, term) in generator.enumerated() where top >> UInt32(i) & 1 == 1 { remainder ^= term }
    }
    return remainder
  }
}
