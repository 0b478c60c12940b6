/// The eight characters after a descriptor's `#`, which detect up to three wrong characters.
///
/// See BIP-380.
public enum DescriptorChecksum {
  /// The number of characters.
  public static let characterCount = 8

  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  /// The place of every allowed character: 32 × group + symbol; nil for all others.
  private static let places: [UInt64?] = {
    let characters =
      "0123456789()[],'/*abcdefgh@:$%{}" + "IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~"
      + "ijklmnopqrstuvwxyzABCDEFGH`#\"\\ "
    var places = [UInt64?](repeating: nil, count: 256)
    for (place, character) in characters.utf8.enumerated() { places[Int(character)] = UInt64(place) }
    return places
  }()

  /// Computes the checksum of an expression; nil if it has characters outside the alphabet.
  public static func of(_ expression: some StringProtocol) -> String? {
    of(Array(expression.utf8).span)
  }

  /// Computes the checksum of an expression's bytes, which may contain private keys.
  public static func of(_ expression: Span<UInt8>) -> String? {
    var remainder: UInt64 = 1
    var groups: UInt64 = 0
    var groupCount = 0
    for index in expression.indices {
      guard let place = places[Int(expression[index])] else { return nil }
      remainder = next(remainder, place & 31)
      groups = groups * 3 + place >> 5
      groupCount += 1
      guard groupCount == 3 else { continue }
      remainder = next(remainder, groups)
      (groups, groupCount) = (0, 0)
    }
    if groupCount > 0 { remainder = next(remainder, groups) }
    for _ in 0..<characterCount { remainder = next(remainder, 0) }
    remainder ^= 1
    let characters = (0..<characterCount).map { place in
      alphabet[Int(remainder >> UInt64(5 * (characterCount - 1 - place)) & 31)]
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Whether a text has the form of a checksum.
  static func isOne(_ text: Substring) -> Bool {
    text.utf8.count == characterCount && text.utf8.allSatisfy(alphabet.contains)
  }

  private static func next(_ remainder: UInt64, _ symbol: UInt64) -> UInt64 {
    let top = remainder >> 35
    var remainder = (remainder & 0x7_ffff_ffff) << 5 ^ symbol
    let generator: [5 of UInt64] = [
      0xf5_dee5_1989, 0xa9_fdca_3312, 0x1b_ab10_e32d, 0x37_06b1_677a, 0x64_4d62_6ffd,
    ]
    for index in generator.indices where top >> UInt64(index) & 1 == 1 { remainder ^= generator[index] }
    return remainder
  }
}
