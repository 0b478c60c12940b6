internal import FuekiCrypto

/// A native segregated witness address.
///
/// See BIP-173, BIP-350 and BIP-141.
public struct SegwitAddress: Equatable, Sendable {
  /// The network's readable part, such as "bc".
  let readablePart: String
  /// The witness version, 0…16.
  public let version: UInt8
  /// The witness program, 2…40 bytes.
  public let program: [UInt8]

  /// Creates an address; nil for a version or program that BIP-141 forbids.
  public init?(readablePart: String, version: UInt8, program: [UInt8]) {
    guard Self.isAllowed(version: version, program: program) else { return nil }
    self.readablePart = readablePart
    self.version = version
    self.program = program
  }

  /// Reads an address of any network.
  ///
  /// - Throws: ``AddressProblem`` if the text violates the standards.
  public init(_ text: String) throws(AddressProblem) {
    let decoded: Bech32
    do throws(Bech32Error) {
      decoded = try Bech32(text)
    } catch {
      throw AddressProblem(error)
    }
    try self.init(decoded)
  }

  /// Creates an address of any network from a decoded text.
  ///
  /// - Throws: ``AddressProblem/invalidWitnessProgram`` or ``AddressProblem/wrongChecksumKind``.
  init(_ decoded: Bech32) throws(AddressProblem) {
    guard let version = decoded.values.first, version <= 16 else { throw .invalidWitnessProgram }
    guard decoded.checksum == (version == 0 ? .bech32 : .bech32m) else { throw .wrongChecksumKind }
    guard let program = Self.bytes(decoded.values.dropFirst()),
      Self.isAllowed(version: version, program: program)
    else { throw .invalidWitnessProgram }
    readablePart = decoded.readablePart
    self.version = version
    self.program = program
  }

  /// The address in lower case; nil if the readable part is invalid.
  public var text: String? {
    Bech32(
      readablePart: readablePart, values: [version] + Self.values(program),
      checksum: version == 0 ? .bech32 : .bech32m)?.text
  }

  /// The output script that pays to the address.
  package var outputScript: [UInt8] {
    [version == 0 ? 0 : 0x50 + version, UInt8(program.count)] + program
  }

  private static func isAllowed(version: UInt8, program: [UInt8]) -> Bool {
    version <= 16 && 2...40 ~= program.count && (version > 0 || program.count == 20 || program.count == 32)
  }

  /// Converts five-bit values to bytes; nil unless the rest is fewer than five zero bits.
  private static func bytes(_ values: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for value in values {
      bits = bits << 5 & 0xfff | UInt32(value)
      bitCount += 5
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
    return bitCount < 5 && bits & (1 << UInt32(bitCount) - 1) == 0 ? bytes : nil
  }

  private static func values(_ bytes: [UInt8]) -> [UInt8] {
    var values: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in bytes {
      bits = bits << 8 & 0xfff | UInt32(byte)
      bitCount += 8
      while bitCount >= 5 {
        bitCount -= 5
        values.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)) & 31)
      }
    }
    if bitCount > 0 { values.append(UInt8(truncatingIfNeeded: bits << UInt32(5 - bitCount)) & 31) }
    return values
  }
}
