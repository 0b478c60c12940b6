/// An extended key's origin: the fingerprint of the root key, and the path from it.
///
/// See BIP-380.
public struct KeyOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The first four bytes of the root public key's hash.
  public let fingerprint: UInt32
  /// The path from the root key.
  public let path: DerivationPath

  /// Creates an origin.
  public init(fingerprint: UInt32, path: DerivationPath) {
    self.fingerprint = fingerprint
    self.path = path
  }

  /// Parses eight hexadecimal digits and steps; nil for any other text.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let digits = parts.first, digits.utf8.count == 8, digits.utf8.allSatisfy(Self.isHexDigit),
      let fingerprint = UInt32(digits, radix: 16)
    else { return nil }
    let steps = parts.dropFirst().compactMap { DerivationStep($0) }
    guard steps.count == parts.count - 1 else { return nil }
    self.init(fingerprint: fingerprint, path: DerivationPath(steps))
  }

  /// The origin as in the brackets before a key.
  public var description: String {
    let digits = String(fingerprint, radix: 16)
    return path.steps.reduce(String(repeating: "0", count: 8 - digits.count) + digits) { "\($0)/\($1)" }
  }

  private static func isHexDigit(_ character: UInt8) -> Bool {
    switch character {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}
