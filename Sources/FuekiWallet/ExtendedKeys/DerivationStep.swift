/// A step of a derivation path, from a key to its child.
///
/// See BIP-32.
public struct DerivationStep: Hashable, Sendable, CustomStringConvertible {
  /// The first hardened number.
  public static let hardenedBase: UInt32 = 1 << 31

  /// The child's number for derivation, at least 2³¹ if hardened.
  public let number: UInt32

  /// Creates a step from its number, at least 2³¹ if hardened.
  public init(number: UInt32) { self.number = number }

  /// Parses a number below 2³¹, followed by `h` or `'` if hardened; nil for any other text.
  public init?(_ text: some StringProtocol) {
    var digits = Array(text.utf8)
    let isHardened = digits.last == 0x68 || digits.last == 0x27
    if isHardened { digits.removeLast() }
    guard 1...10 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let index = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - 0x30) }
    guard index < Self.hardenedBase else { return nil }
    number = UInt32(index) | (isHardened ? Self.hardenedBase : 0)
  }

  /// Whether the step needs the private key.
  public var isHardened: Bool { number >= Self.hardenedBase }

  /// The number below 2³¹, followed by `h` if hardened.
  public var description: String { "\(number & ~Self.hardenedBase)\(isHardened ? "h" : "")" }
}
