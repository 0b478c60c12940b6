/// One step of a path from a key to a child of it.
///
/// See BIP-32.
public struct DerivationStep: Hashable, Sendable, CustomStringConvertible {
  /// Where hardened numbers begin.
  public static let hardenedBase: UInt32 = 1 << 31

  /// The child's number as keys are derived with it: hardened children from 2³¹ on.
  public let number: UInt32

  /// A step by its number, hardened from 2³¹ on.
  public init(number: UInt32) { self.number = number }

  /// Reads a number below 2³¹, followed by `h` or `'` for a hardened child; nil for anything else.
  public init?(_ text: some StringProtocol) {
    var digits = Array(text.utf8)
    let isHardened = digits.last == 0x68 || digits.last == 0x27
    if isHardened { digits.removeLast() }
    guard 1...10 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let index = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - 0x30) }
    guard index < Self.hardenedBase else { return nil }
    number = UInt32(index) | (isHardened ? Self.hardenedBase : 0)
  }

  /// Whether only the private key has this child.
  public var isHardened: Bool { number >= Self.hardenedBase }

  /// The number below 2³¹, with `h` where it is hardened.
  public var description: String { "\(number & ~Self.hardenedBase)\(isHardened ? "h" : "")" }
}

/// A way from a key to one below it.
///
/// See BIP-32.
public struct DerivationPath: Hashable, Sendable, CustomStringConvertible {
  /// The steps, from the top.
  public var steps: [DerivationStep]

  /// A path of these steps.
  public init(_ steps: [DerivationStep] = []) { self.steps = steps }

  /// Reads a path such as `m/84h/0h/0h`, with or without `m/`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.first == "m" { parts.removeFirst() }
    let steps = parts.compactMap { DerivationStep($0) }
    guard steps.count == parts.count else { return nil }
    self.steps = steps
  }

  /// The path with `m` for its top.
  public var description: String { steps.reduce("m") { "\($0)/\($1)" } }
}

/// Where an extended key comes from: the fingerprint of the key at the top, and the way from there.
///
/// See BIP-380.
public struct KeyOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The first four bytes of the topmost public key's hash.
  public let fingerprint: UInt32
  /// The way from there.
  public let path: DerivationPath

  /// An origin.
  public init(fingerprint: UInt32, path: DerivationPath) {
    self.fingerprint = fingerprint
    self.path = path
  }

  /// Reads eight hexadecimal digits and steps; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let digits = parts.first, digits.utf8.count == 8, digits.utf8.allSatisfy(Self.isHexDigit),
      let fingerprint = UInt32(digits, radix: 16)
    else { return nil }
    let steps = parts.dropFirst().compactMap { DerivationStep($0) }
    guard steps.count == parts.count - 1 else { return nil }
    self.init(fingerprint: fingerprint, path: DerivationPath(steps))
  }

  /// The origin as it stands between brackets before a key.
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
