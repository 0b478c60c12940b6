/// An exact decimal number of any length, with the text that it was collected as.
///
/// The text is an optional sign, digits, an optional fraction and an optional exponent. Comparing looks at the
/// value: `1.50`, `+1.5` and `15e-1` are equal. No floating point is ever involved: 256-bit values have 78 digits.
public struct Amount: Sendable, CustomStringConvertible {
  /// How large an exponent may be, either way: no currency needs more, and no text may claim much memory.
  public static let exponentLimit = 9999

  /// The number's text, as it was given.
  public let text: String
  let value: DecimalDigits

  /// Zero.
  public static let zero = Amount(DecimalDigits.zero)

  /// Reads a number's text; nil for any other text, and for an exponent beyond ``exponentLimit``.
  public init?(_ text: String) {
    guard let value = DecimalDigits(text.utf8Span.span) else { return nil }
    self.text = text
    self.value = value
  }

  /// Makes a whole number.
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

  /// Whether the value is below zero.
  public var isNegative: Bool { value.isNegative }

  /// Whether the value has no fraction.
  public var isWhole: Bool { value.exponent >= 0 }

  /// The one text of this value without exponent, plus sign or needless zeros.
  public var canonicalText: String { value.plainText }

  /// The number's text, as it was given.
  public var description: String { text }

  /// The sum of some amounts; zero for none.
  public static func sum(_ amounts: some Sequence<Amount>) -> Amount {
    Amount(amounts.reduce(DecimalDigits.zero) { $0.adding($1.value) })
  }

  /// Adds.
  public static func + (a: Amount, b: Amount) -> Amount { Amount(a.value.adding(b.value)) }

  /// Subtracts.
  public static func - (a: Amount, b: Amount) -> Amount { Amount(a.value.adding(b.value.negated)) }

  /// Turns the sign round.
  public static prefix func - (a: Amount) -> Amount { Amount(a.value.negated) }

  /// Moves the decimal point: by 18, wei become ether the other way round; by −8, satoshis become bitcoins.
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

  /// Feeds the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
