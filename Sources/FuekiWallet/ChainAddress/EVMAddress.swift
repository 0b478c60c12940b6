/// A 20-byte address of Ethereum and compatible chains.
///
/// See ERC-55. ERC-1191, with a checksum that depends on the chain, is not supported.
public struct EVMAddress: Hashable, Sendable, CustomStringConvertible {
  /// The length of an address in bytes.
  public static let byteCount = 20

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
