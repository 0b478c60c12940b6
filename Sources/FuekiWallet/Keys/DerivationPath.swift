/// A derivation path from a key to a descendant.
///
/// See BIP-32.
public struct DerivationPath: Hashable, Sendable, CustomStringConvertible {
  /// The steps, from the top.
  public var steps: [DerivationStep]

  /// Creates a path from steps.
  public init(_ steps: [DerivationStep] = []) { self.steps = steps }

  /// Parses a path such as `m/84h/0h/0h`, with or without `m/`; nil for any other text.
  public init?(_ text: some StringProtocol) {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.first == "m" { parts.removeFirst() }
    let steps = parts.compactMap { DerivationStep($0) }
    guard steps.count == parts.count else { return nil }
    self.steps = steps
  }

  /// The path, starting with `m`.
  public var description: String { steps.reduce("m") { "\($0)/\($1)" } }
}

/// A step of a derivation path, from a key to its child.
///
/// See BIP-32.
public struct DerivationStep: Hashable, Sendable, CustomStringConvertible {
  /// The first hardened number.
  public static let hardenedBase: UInt32 = 1 << 31

  /// The child's number for derivation, at least 2³¹ if hardened.
  let number: UInt32

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
  package var isHardened: Bool { number >= Self.hardenedBase }

  /// The number below 2³¹, followed by `h` if hardened.
  public var description: String { "\(number & ~Self.hardenedBase)\(isHardened ? "h" : "")" }
}

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
