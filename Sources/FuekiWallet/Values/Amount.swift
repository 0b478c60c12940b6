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
  package static let zero = Amount(DecimalDigits.zero)

  /// Parses a number; nil for any other text, and for an exponent beyond ``exponentLimit``.
  public init?(_ text: String) {
    guard let value = DecimalDigits(text.utf8Span.span) else { return nil }
    self.text = text
    self.value = value
  }

  /// Creates an amount from an integer.
  package init(_ number: some BinaryInteger) {
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
  package static func + (a: Amount, b: Amount) -> Amount { Amount(a.value.adding(b.value)) }

  /// Subtracts.
  package static func - (a: Amount, b: Amount) -> Amount { Amount(a.value.adding(b.value.negated)) }

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

/// A decimal number as sign, digits and exponent, in a canonical form.
struct DecimalDigits: Hashable, Sendable {
  static let zero = DecimalDigits(isNegative: false, digits: [], exponent: 0)

  /// False for zero.
  var isNegative: Bool
  /// Highest first, without leading or trailing zeros.
  ///
  /// Empty for zero.
  var digits: [UInt8]
  /// The power of ten of the last digit.
  var exponent: Int

  private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = exponent
  }

  /// Normalises digits to the canonical form.
  init(normalising digits: [UInt8], isNegative: Bool, exponent: Int) {
    let leading = digits.prefix { $0 == 0 }.count
    guard leading < digits.count else {
      self = .zero
      return
    }
    var end = digits.count
    while digits[end - 1] == 0 { end -= 1 }
    self.init(
      isNegative: isNegative, digits: Array(digits[leading..<end]), exponent: exponent + digits.count - end)
  }

  /// Parses an optional sign, digits, an optional fraction and an optional exponent.
  init?(_ text: Span<UInt8>) {
    var position = 0
    let sign = Self.sign(of: text, at: &position)
    var digits = Self.digits(of: text, at: &position)
    guard !digits.isEmpty else { return nil }
    var exponent = 0
    if position < text.count, text[position] == 0x2e {
      position += 1
      let fraction = Self.digits(of: text, at: &position)
      guard !fraction.isEmpty else { return nil }
      digits += fraction
      exponent = -fraction.count
    }
    if position < text.count, text[position] | 0x20 == 0x65 {
      position += 1
      let sign = Self.sign(of: text, at: &position)
      let power = Self.digits(of: text, at: &position)
      guard !power.isEmpty else { return nil }
      var magnitude = 0
      for digit in power {
        magnitude = magnitude * 10 + Int(digit)
        guard magnitude <= Amount.exponentLimit else { return nil }
      }
      exponent += sign ? -magnitude : magnitude
    }
    guard position == text.count else { return nil }
    self.init(normalising: digits, isNegative: sign, exponent: exponent)
  }

  var negated: DecimalDigits {
    DecimalDigits(isNegative: !isNegative && !digits.isEmpty, digits: digits, exponent: exponent)
  }

  func adding(_ other: DecimalDigits) -> DecimalDigits {
    if digits.isEmpty { return other }
    if other.digits.isEmpty { return self }
    let exponent = min(self.exponent, other.exponent)
    let top = max(self.exponent + digits.count, other.exponent + other.digits.count) + 1
    var sum = [Int8](repeating: 0, count: top - exponent)
    add(to: &sum, from: exponent)
    other.add(to: &sum, from: exponent)
    var isNegative = false
    Self.carry(&sum)
    if let highest = sum.last, highest < 0 {
      isNegative = true
      for i in sum.indices { sum[i] = -sum[i] }
      Self.carry(&sum)
    }
    return DecimalDigits(
      normalising: sum.reversed().map(UInt8.init), isNegative: isNegative, exponent: exponent)
  }

  /// The number's text without an exponent.
  var plainText: String {
    guard !digits.isEmpty else { return "0" }
    var text: [UInt8] = isNegative ? [0x2d] : []
    let whole = digits.count + exponent
    if whole <= 0 {
      text += [0x30, 0x2e] + [UInt8](repeating: 0x30, count: -whole)
      text += digits.map { $0 + 0x30 }
    } else {
      for (i, digit) in digits.enumerated() {
        if i == whole { text.append(0x2e) }
        text.append(digit + 0x30)
      }
      text += [UInt8](repeating: 0x30, count: max(0, exponent))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds the signed digits to each place, lowest first, without carrying.
  private func add(to sum: inout [Int8], from lowest: Int) {
    for (i, digit) in digits.reversed().enumerated() {
      sum[exponent - lowest + i] += isNegative ? -Int8(digit) : Int8(digit)
    }
  }

  /// Normalises all places but the highest to 0…9.
  ///
  /// The highest then has the sign of the whole number.
  private static func carry(_ places: inout [Int8]) {
    for i in places.indices.dropLast() {
      var carry: Int8 = 0
      while places[i] < 0 {
        places[i] += 10
        carry -= 1
      }
      while places[i] > 9 {
        places[i] -= 10
        carry += 1
      }
      places[i + 1] += carry
    }
  }

  private static func sign(of text: Span<UInt8>, at position: inout Int) -> Bool {
    guard position < text.count, text[position] == 0x2d || text[position] == 0x2b else { return false }
    position += 1
    return text[position - 1] == 0x2d
  }

  private static func digits(of text: Span<UInt8>, at position: inout Int) -> [UInt8] {
    var digits: [UInt8] = []
    while position < text.count, 0x30...0x39 ~= text[position] {
      digits.append(text[position] - 0x30)
      position += 1
    }
    return digits
  }
}
