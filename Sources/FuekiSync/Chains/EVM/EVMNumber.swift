internal import FuekiCrypto
internal import FuekiWallet

/// An unsigned integer of any size, in the formats of Ethereum's nodes and of people.
struct EVMNumber: Hashable, Sendable {
  private static let base: UInt64 = 1_000_000_000
  /// A height that no chain reaches in thirty years even with a block every millisecond.
  ///
  /// Calculations with heights or times up to here cannot overflow.
  static let highestHeight: UInt64 = 1 << 40

  /// Limbs of nine decimal digits, lowest first.
  ///
  /// Empty for zero, and the last one is never 0.
  private var limbs: [UInt64]

  init(_ number: UInt64) {
    limbs = []
    var rest = number
    while rest > 0 {
      limbs.append(rest % Self.base)
      rest /= Self.base
    }
  }

  /// Reads big-endian bytes.
  init(bytes: some Sequence<UInt8>) {
    limbs = []
    for byte in bytes { multiplyAndAdd(256, UInt64(byte)) }
  }

  /// Parses `0x` and hexadecimal digits, at most 64 of them significant.
  init?(hex text: String) {
    let digits = text.utf8.dropFirst(2)
    guard text.hasPrefix("0x"), !digits.isEmpty, digits.count <= 1024 else { return nil }
    limbs = []
    var counting = 0
    for digit in digits {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      if counting > 0 || value > 0 { counting += 1 }
      guard counting <= 64 else { return nil }
      multiplyAndAdd(16, UInt64(value))
    }
  }

  /// Parses decimal digits of a 256-bit number.
  init?(decimal text: String) {
    guard 1...78 ~= text.utf8.count else { return nil }
    limbs = []
    for digit in text.utf8 {
      guard 0x30...0x39 ~= digit else { return nil }
      multiplyAndAdd(10, UInt64(digit - 0x30))
    }
    guard !isBeyond256Bits else { return nil }
  }

  /// The decimal text.
  var text: String {
    guard let highest = limbs.last else { return "0" }
    var text = String(highest)
    for limb in limbs.dropLast().reversed() {
      let digits = String(limb)
      text += String(repeating: "0", count: 9 - digits.count) + digits
    }
    return text
  }

  /// 2²⁵⁶, less 1.
  private static let highest = EVMNumber(bytes: [UInt8](repeating: 0xFF, count: 32))

  private var isBeyond256Bits: Bool {
    let highest = Self.highest.limbs
    guard limbs.count == highest.count else { return limbs.count > highest.count }
    return highest.reversed().lexicographicallyPrecedes(limbs.reversed())
  }

  /// The number, if it fits in 64 bits.
  var uint64: UInt64? { UInt64(text) }

  static func * (a: EVMNumber, b: EVMNumber) -> EVMNumber {
    var sum = [UInt64](repeating: 0, count: a.limbs.count + b.limbs.count)
    for (i, left) in a.limbs.enumerated() {
      var carry: UInt64 = 0
      for (j, right) in b.limbs.enumerated() {
        let value = sum[i + j] + left * right + carry
        sum[i + j] = value % base
        carry = value / base
      }
      sum[i + b.limbs.count] += carry
    }
    var product = EVMNumber(0)
    product.limbs = sum
    while product.limbs.last == 0 { product.limbs.removeLast() }
    return product
  }

  private mutating func multiplyAndAdd(_ factor: UInt64, _ summand: UInt64) {
    var carry = summand
    for index in limbs.indices {
      let value = limbs[index] * factor + carry
      limbs[index] = value % Self.base
      carry = value / Self.base
    }
    if carry > 0 { limbs.append(carry) }
  }
}

/// Reads the values in a node's answers.
extension JSONValue {
  /// Returns a hexadecimal number.
  func quantity(_ what: String) throws(SyncError) -> EVMNumber {
    guard let number = string.flatMap(EVMNumber.init(hex:)) else { throw .malformed(what: what) }
    return number
  }

  /// Returns a hexadecimal number of 64 bits, such as a nonce.
  func count(_ what: String) throws(SyncError) -> UInt64 {
    guard let number = try quantity(what).uint64 else { throw .malformed(what: what) }
    return number
  }

  /// Returns a height, or seconds since 1970.
  func height(_ what: String) throws(SyncError) -> UInt64 {
    let number = try count(what)
    guard number <= EVMNumber.highestHeight else { throw .malformed(what: what) }
    return number
  }

  /// Returns a required member.
  func required(_ name: String) throws(SyncError) -> JSONValue {
    guard let member = member(name), member.kind != .null else { throw .malformed(what: "no \(name)") }
    return member
  }

  /// Returns the hash of a block or a transaction.
  func hash(_ what: String) throws(SyncError) -> String {
    guard try hexBytes(what).count == 32, let text = string else { throw .malformed(what: what) }
    return text.lowercased()
  }

  /// Returns bytes in hexadecimal.
  func hexBytes(_ what: String) throws(SyncError) -> [UInt8] {
    guard let bytes = string.flatMap(EVMBytes.decode) else { throw .malformed(what: what) }
    return bytes
  }

  /// Returns a member if it is present and not null.
  func present(_ name: String) -> JSONValue? { member(name).flatMap { $0.kind == .null ? nil : $0 } }
}

/// Bytes in a node's format.
enum EVMBytes {
  /// Decodes `0x` and pairs of digits; nil for any other text.
  static func decode(_ text: String) -> [UInt8]? {
    text.hasPrefix("0x") ? Hex.decode(text.dropFirst(2)) : nil
  }

  static func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

  static func hex(_ bytes: [UInt8]) -> String { "0x" + Hex.encode(bytes) }

  /// Returns an address as a log topic or a call's argument.
  static func word(_ address: EVMAddress) -> String {
    hex([UInt8](repeating: 0, count: 12) + address.bytes)
  }
}
