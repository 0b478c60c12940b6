/// An exact decimal number of any length, with its original text.
///
/// The text is an optional sign, digits, an optional fraction and an optional exponent. Comparison is by
/// value: `1.50`, `+1.5` and `15e-1` are equal. Floating point is never involved, because 256-bit values have
/// 78 digits.
public struct Amount: Sendable, CustomStringConvertible {
  /// The limit of an exponent's magnitude, above any currency's need, so that a text cannot claim much
  /// memory.
  static let exponentLimit = 9999

  /// The original text.
  public let text: String
  let value: DecimalDigits

  /// Zero.
  public static let zero = Amount(DecimalDigits.zero)

  /// Parses a number; nil for any other text, and for an exponent beyond ``exponentLimit``.
  public init?(_ text: String) {
    guard let value = DecimalDigits(text.utf8Span.span) else { return nil }
    self.text = text
    self.value = value
  }

  /// Creates an amount from an integer.
  public init(_ number: some BinaryInteger) {
    text = String(number)
    value = DecimalDigits(text.utf8Span.span) ?? .zero
  }

  init(_ value: DecimalDigits) {
    self.value = value
    text = value.plainText
  }

  /// Whether the value is zero.
  public var isZero: Bool { value.digits.isEmpty }

  /// Whether the value is negative.
  public var isNegative: Bool { value.isNegative }

  /// Whether the value has no fraction.
  public var isWhole: Bool { value.exponent >= 0 }

  /// The value's canonical text, without exponent, plus sign or redundant zeros.
  public var canonicalText: String { value.plainText }

  /// The original text.
  public var description: String { text }

  /// Returns the sum of amounts; zero for none.
  public static func sum(_ amounts: some Sequence<Amount>) -> Amount {
    Amount(amounts.reduce(DecimalDigits.zero) { $0.adding($1.value) })
  }

  /// Adds.
  public static func + (a: Amount, b: Amount) -> Amount { Amount(a.value.adding(b.value)) }

  /// Subtracts.
  public static func - (a: Amount, b: Amount) -> Amount { Amount(a.value.adding(b.value.negated)) }

  /// Negates.
  public static prefix func - (a: Amount) -> Amount { Amount(a.value.negated) }

  /// Multiplies by a power of ten: 18 converts ether to wei, and −8 converts satoshis to bitcoins.
  public func multiplied(byPowerOfTen power: Int) -> Amount {
    var moved = value
    if !isZero { moved.exponent += max(-Self.exponentLimit, min(power, Self.exponentLimit)) }
    return Amount(moved)
  }
}

extension Amount: Comparable, Hashable {
  /// Compares values.
  public static func == (a: Amount, b: Amount) -> Bool { a.value == b.value }

  /// Compares values.
  public static func < (a: Amount, b: Amount) -> Bool { a.value.adding(b.value.negated).isNegative }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
