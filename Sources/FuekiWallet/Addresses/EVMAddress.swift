internal import FuekiCrypto

/// A 20-byte address of Ethereum and compatible chains.
///
/// See ERC-55. ERC-1191, with a checksum that depends on the chain, is not supported.
public struct EVMAddress: Hashable, Sendable, CustomStringConvertible {
  /// The length of an address in bytes.
  static let byteCount = 20

  /// The address's bytes.
  public let bytes: [UInt8]

  /// Creates an address from 20 bytes; nil for any other length.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads `0x` and 40 digits.
  ///
  /// Mixed case must match the checksum.
  ///
  /// - Throws: ``AddressProblem/wrongLength``, ``AddressProblem/invalidCharacter``,
  ///   ``AddressProblem/wrongChecksum`` or ``AddressProblem/unrecognised`` for a text without `0x`.
  public init(_ text: String) throws(AddressProblem) {
    let characters = text.utf8Span.span
    guard characters.count >= 2, characters[0] == 0x30, characters[1] == 0x78 else { throw .unrecognised }
    let digits = characters.extracting(2...)
    guard digits.count == 2 * Self.byteCount else { throw .wrongLength }
    guard LowerHex.isHex(digits) else { throw .invalidCharacter }
    guard Self.hasOneCase(digits) || AddressChecksum.isRight(digits) else { throw .wrongChecksum }
    var bytes: [UInt8] = []
    LowerHex.decode(digits, to: &bytes)
    self.bytes = bytes
  }

  /// The address with its checksum.
  public var description: String {
    var text: [UInt8] = [0x30, 0x78]
    AddressChecksum.append(bytes.span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func hasOneCase(_ digits: Span<UInt8>) -> Bool {
    var cases: UInt8 = 0
    for i in digits.indices where digits[i] >= 0x41 { cases |= digits[i] >= 0x61 ? 1 : 2 }
    return cases != 3
  }
}

/// The checksummed spelling of 20-byte addresses, by ERC-55.
enum AddressChecksum {
  /// Appends an address's 40 hexadecimal digits, in the case of its checksum.
  static func append(_ address: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    LowerHex.append(address, to: &output)
    let digest = Keccak256.hash(output.span.extracting(start...)).bytes
    for i in 0..<(output.count - start) {
      let nibble = i & 1 == 0 ? digest[i >> 1] >> 4 : digest[i >> 1] & 15
      if nibble >= 8, output[start + i] >= 0x61 { output[start + i] -= 0x20 }
    }
  }

  /// Whether the case of 40 hexadecimal digits matches their address's checksum.
  static func isRight(_ digits: Span<UInt8>) -> Bool {
    guard digits.count == 40 else { return false }
    var lower: [UInt8] = []
    lower.reserveCapacity(40)
    for i in digits.indices {
      let digit = digits[i]
      lower.append(0x41...0x5a ~= digit ? digit + 0x20 : digit)
    }
    let digest = Keccak256.hash(lower.span).bytes
    for i in 0..<40 where lower[i] >= 0x61 {
      let nibble = i & 1 == 0 ? digest[i >> 1] >> 4 : digest[i >> 1] & 15
      guard (digits[i] < 0x61) == (nibble >= 8) else { return false }
    }
    return true
  }
}
