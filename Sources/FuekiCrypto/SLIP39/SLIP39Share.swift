/// One share of a secret, which people write down as words.
///
/// See SLIP-0039. Words are in ``SecretBytes`` and never in a `String`, which could not be wiped.
public struct SLIP39Share: Sendable {
  /// The identifier common to all shares of one secret, 15 random bits.
  public let identifier: UInt16
  /// Whether the secret's encryption ignores the identifier.
  public let isExtendable: Bool
  /// The exponent of the passphrase's cost, 0…15.
  public let iterationExponent: Int
  /// The index of the share's group, from 0.
  public let groupIndex: Int
  /// How many groups are needed.
  public let groupThreshold: Int
  /// How many groups there are.
  public let groupCount: Int
  /// The index of the share's member in its group, from 0.
  public let memberIndex: Int
  /// How many members of the group are needed.
  public let memberThreshold: Int
  /// The share's part of the secret.
  public let value: SharedSecret

  /// Whether another share can be combined with this one: same secret, and another group or the same
  /// threshold.
  public func belongs(with other: SLIP39Share) -> Bool {
    identifier == other.identifier && isExtendable == other.isExtendable
      && iterationExponent == other.iterationExponent && groupThreshold == other.groupThreshold
      && groupCount == other.groupCount && value.bytes.count == other.value.bytes.count
      && (groupIndex != other.groupIndex || memberThreshold == other.memberThreshold)
  }
}

extension SLIP39Share {
  private static let parameterCount = 4
  private static let overhead = parameterCount + RS1024.symbolCount
  /// From 128 to 512 bits.
  private static let valueByteCounts = 16...64

  /// Reads words of any case, separated by any white space.
  ///
  /// - Throws: ``SLIP39Error/wordCount(_:)``, ``SLIP39Error/unknownWord(place:)``, ``SLIP39Error/checksum``,
  ///   ``SLIP39Error/padding``, ``SLIP39Error/parameters`` or ``SLIP39Error/crypto(_:)``.
  public init(words: borrowing SecretBytes) throws(SLIP39Error) {
    self = try words.withBytes { (text) throws(SLIP39Error) in try SLIP39Share(text) }
  }

  private init(_ text: Span<UInt8>) throws(SLIP39Error) {
    let count = WordScanner.count(text)
    let bitCount = 10 * (count - Self.overhead)
    let paddingBitCount = bitCount % 16
    let byteCount = bitCount / 16 * 2
    guard Self.valueByteCounts ~= byteCount, paddingBitCount <= 8 else { throw .wordCount(count) }

    var scanner = WordScanner()
    let first = try scanner.next(text)
    let second = try scanner.next(text)
    let common = UInt32(first) << 10 | UInt32(second)
    isExtendable = common >> 4 & 1 == 1
    var checksum = RS1024(isExtendable: isExtendable)
    checksum.take(first)
    checksum.take(second)
    let third = try scanner.next(text)
    let fourth = try scanner.next(text)
    checksum.take(third)
    checksum.take(fourth)
    let parameters = UInt32(third) << 10 | UInt32(fourth)

    var padding: UInt32 = 0
    var value: SecretBytes
    do throws(CryptoError) { value = try SecretBytes(count: byteCount) } catch { throw .crypto(error) }
    try value.withMutableBytes { (value) throws(SLIP39Error) in
      // Padding comes first, so the first word has fewer bits of the value.
      var (bits, pending, filled): (UInt32, Int, Int) = (0, 0, 0)
      for place in 0..<(count - Self.overhead) {
        let word = try scanner.next(text)
        checksum.take(word)
        bits = (bits << 10 | UInt32(word)) & 0x3_ffff
        pending += 10
        if place == 0 {
          pending -= paddingBitCount
          padding = UInt32(word) >> UInt32(pending)
        }
        while pending >= 8 {
          pending -= 8
          value[filled] = UInt8(truncatingIfNeeded: bits >> UInt32(pending))
          filled += 1
        }
      }
    }
    for _ in 0..<RS1024.symbolCount { checksum.take(try scanner.next(text)) }
    guard checksum.holds else { throw .checksum }
    guard padding == 0 else { throw .padding }

    identifier = UInt16(truncatingIfNeeded: common >> 5)
    iterationExponent = Int(common & 15)
    groupIndex = Int(parameters >> 16)
    groupThreshold = Int(parameters >> 12 & 15) + 1
    groupCount = Int(parameters >> 8 & 15) + 1
    memberIndex = Int(parameters >> 4 & 15)
    memberThreshold = Int(parameters & 15) + 1
    self.value = SharedSecret(value)
    guard groupThreshold <= groupCount else { throw .parameters }
  }

  /// Writes the words in lower case with single spaces, the canonical spelling that is hashed.
  ///
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  public func words() throws(CryptoError) -> SharedSecret {
    let byteCount = value.bytes.count
    let valueCount = (byteCount * 8 + 9) / 10
    let paddingBitCount = valueCount * 10 - byteCount * 8
    let length = (valueCount + Self.overhead) * (SLIP39WordList.letterCountLimit + 1)
    let common = UInt32(identifier) << 5 | (isExtendable ? 16 : 0) | UInt32(iterationExponent)
    let counts = UInt32(groupIndex) << 16 | UInt32(groupThreshold - 1) << 12 | UInt32(groupCount - 1) << 8
    let parameters = counts | UInt32(memberIndex) << 4 | UInt32(memberThreshold - 1)

    var text = try SecretBytes(count: length)
    let end = text.withMutableBytes { text in
      value.bytes.withBytes { value in
        var writer = WordWriter(isExtendable: isExtendable)
        writer.write(common, wordCount: 2, to: &text)
        writer.write(parameters, wordCount: 2, to: &text)
        var (bits, pending): (UInt32, Int) = (0, paddingBitCount)
        for index in value.indices {
          bits = (bits << 8 | UInt32(value[index])) & 0x3_ffff
          pending += 8
          guard pending >= 10 else { continue }
          pending -= 10
          writer.write(bits >> UInt32(pending) & 1023, wordCount: 1, to: &text)
        }
        return writer.finish(&text)
      }
    }
    return SharedSecret(try text.copy(0..<end))
  }
}

/// A share's checksum: Reed-Solomon over ten-bit symbols, which detects up to three wrong words.
///
/// See SLIP-0039, section "Checksum". The code never branches on the symbols, which are secret.
struct RS1024 {
  static let symbolCount = 3

  private var value: UInt32 = 1

  /// Starts a checksum.
  ///
  /// Extendable shares start differently, so that a mistyped flag is detected.
  init(isExtendable: Bool) {
    for byte in isExtendable ? "shamir_extendable".utf8 : "shamir".utf8 { take(UInt16(byte)) }
  }

  /// Adds the next symbol.
  mutating func take(_ symbol: UInt16) {
    let top = value >> 20
    value = (value & 0xf_ffff) << 10 ^ UInt32(symbol)
    for bit in 0..<10 { value ^= Self.generator[bit] & (0 &- (top >> UInt32(bit) & 1)) }
  }

  /// The difference from a valid checksum; 0 if it is valid.
  var difference: UInt32 { value ^ 1 }

  /// The effect on the checksum of changing the bits `change` of a symbol that `count` more symbols follow.
  static func effect(of change: UInt16, followedBy count: Int) -> UInt32 {
    var checksum = RS1024(value: UInt32(change))
    for _ in 0..<count { checksum.take(0) }
    return checksum.value
  }

  private init(value: UInt32) { self.value = value }

  /// Whether the symbols added so far end with their checksum.
  var holds: Bool { value == 1 }

  /// Returns the checksum of the symbols added so far, with its first symbol highest.
  consuming func finish() -> UInt32 {
    for _ in 0..<Self.symbolCount { take(0) }
    return value ^ 1
  }

  private static let generator: InlineArray<10, UInt32> = [
    0x00e0_e040, 0x01c1_c080, 0x0383_8100, 0x0707_0200, 0x0e0e_0009, 0x1c0c_2412, 0x3808_6c24, 0x3090_fc48,
    0x21b1_f890, 0x03f3_f120,
  ]
}
