internal import FuekiCrypto
internal import FuekiWallet

/// The public members of a tss-lib share file, and their problems.
///
/// The members are those of `LocalPartySaveData` in bnb-chain/tss-lib, for ECDSA and EdDSA key generation.
struct TssLibPublicPart {
  enum Scheme: String {
    case ecdsa = "gg18-ecdsa"
    case eddsa = "gg18-eddsa"
  }

  struct Party {
    /// The party's x coordinate, 32 bytes; nil without a 256-bit number in the file.
    let id: [UInt8]?
    /// The compressed point; nil if the file has no point of the curve.
    let point: [UInt8]?
  }

  private(set) var scheme = Scheme.ecdsa
  private(set) var curve = Curve.secp256k1
  /// The compressed point; empty if the file has no point of the curve.
  private(set) var groupKey: [UInt8] = []
  /// The party's own x coordinate, 32 bytes; empty if the file has none.
  private(set) var ownID: [UInt8] = []
  private(set) var parties: [Party] = []
  private(set) var problems: [String] = []

  /// The party's index among all.
  var ownIndex: Int? { parties.firstIndex { $0.id == ownID } }

  /// Parses the public members; nil for another kind of document.
  init?(_ outline: JSONOutline, _ bytes: Span<UInt8>) {
    let root = outline.root
    func member(_ name: String) -> JSONOutline.Value? { outline.member(name, of: root, in: bytes) }
    guard member("Xi") != nil, let shareID = member("ShareID") else { return nil }
    let groups = [(Scheme.ecdsa, member("ECDSAPub")), (.eddsa, member("EDDSAPub"))].filter { $0.1 != nil }
    guard groups.count == 1, case (let scheme, let group?)? = groups.first else { return nil }
    self.scheme = scheme
    if let known = Self.curve(of: group, scheme, outline, bytes) {
      curve = known
    } else {
      curve = scheme == .ecdsa ? .secp256k1 : .ed25519
      problems.append("its curve is not known")
    }
    groupKey = Self.point(group, on: curve, outline, bytes) ?? []
    if groupKey.isEmpty { problems.append("its group public key is not a point of \(curve.rawValue)") }
    ownID = Self.id(shareID, on: curve, outline, bytes) ?? []
    if ownID.isEmpty { problems.append("its ShareID is not a number of up to 256 bits") }
    readParties(ids: member("Ks"), points: member("BigXj"), outline, bytes)
  }

  private mutating func readParties(
    ids: JSONOutline.Value?, points: JSONOutline.Value?, _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) {
    let ids = ids.map { Array(outline.children(of: $0)) } ?? []
    let points = points.map { Array(outline.children(of: $0)) } ?? []
    guard max(ids.count, points.count) <= ImportLimits.partiesOfShare else {
      return problems.append("it names more than \(ImportLimits.partiesOfShare) parties")
    }
    if ids.count != points.count {
      problems.append("it names \(ids.count) parties but \(points.count) public points")
    }
    for (index, value) in ids.enumerated() {
      let id = Self.id(value, on: curve, outline, bytes)
      let point = index < points.count ? Self.point(points[index], on: curve, outline, bytes) : nil
      if id == nil { problems.append("the id of party \(index) is not a number of up to 256 bits") }
      if point == nil {
        problems.append("the public point of party \(index) is not a point of \(curve.rawValue)")
      }
      parties.append(Party(id: id, point: point))
    }
    if Set(parties.compactMap(\.id)).count < parties.count { problems.append("two parties have the same id") }
    if ownIndex == nil { problems.append("its ShareID is none of the parties' ids") }
  }

  private static func curve(
    of point: JSONOutline.Value, _ scheme: Scheme, _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) -> Curve? {
    guard let value = outline.member("Curve", of: point, in: bytes) else {
      // Before the curve was stated, each scheme had a single one.
      return scheme == .ecdsa ? .secp256k1 : .ed25519
    }
    switch outline.string(value, in: bytes)?.lowercased() {
    case "secp256k1": return .secp256k1
    case "p-256", "p256", "secp256r1", "nist256p1", "prime256v1": return .p256
    case "ed25519": return .ed25519
    default: return nil
    }
  }

  private static func point(
    _ value: JSONOutline.Value, on curve: Curve, _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) -> [UInt8]? {
    guard let coordinates = outline.member("Coords", of: value, in: bytes) else { return nil }
    let numbers = outline.children(of: coordinates).map { number($0, outline, bytes) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
    return try? CurvePoint.compressed(x: x, y: y, on: curve)
  }

  /// Returns an x coordinate.
  ///
  /// A longer one, which some programs derive from a party's name, is reduced modulo the order.
  private static func id(
    _ value: JSONOutline.Value, on curve: Curve, _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) -> [UInt8]? {
    if let id = number(value, outline, bytes) { return id }
    guard outline.kind(of: value) == .number,
      let long = DecimalNumber.long(bytes.extracting(outline.range(of: value)))
    else { return nil }
    return try? CurveScalar.reduced(long, on: curve)
  }

  private static func number(
    _ value: JSONOutline.Value, _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) -> [UInt8]? {
    guard outline.kind(of: value) == .number else { return nil }
    return DecimalNumber.bytes(bytes.extracting(outline.range(of: value)))
  }
}

/// The party's own Paillier key and moduli, which occur twice in a share file: separately, and among all
/// parties'.
///
/// A share with a correct scalar but moduli of another party or epoch cannot sign.
struct TssLibModuli {
  /// The limit of a number's digits: 8192 bits.
  private static let digitCountLimit = 2467

  private(set) var problems: [String] = []

  /// Compares the values in the file.
  init(_ outline: JSONOutline, _ bytes: Span<UInt8>, ownIndex: Int?) throws(CryptoError) {
    func member(_ name: String, of value: JSONOutline.Value? = nil) -> JSONOutline.Value? {
      outline.member(name, of: value ?? outline.root, in: bytes)
    }
    let key = member("PaillierSK")
    let modulus = key.flatMap { member("N", of: $0) }
    if let ownIndex {
      // An empty or missing list means nothing: EdDSA has none of them.
      func listed(_ name: String) -> JSONOutline.Value? {
        guard let list = member(name) else { return nil }
        let values = Array(outline.children(of: list))
        return ownIndex < values.count ? values[ownIndex] : nil
      }
      let own = [
        ("Paillier key", modulus, listed("PaillierPKs").flatMap { member("N", of: $0) }),
        ("NTilde", member("NTildei"), listed("NTildej")), ("H1", member("H1i"), listed("H1j")),
        ("H2", member("H2i"), listed("H2j")),
      ]
      for (name, alone, listed) in own where !Self.isSame(alone, listed, outline, bytes) {
        problems.append("its \(name) is not the one listed for its party")
      }
    }
    guard let key, let modulus, let first = member("P", of: key), let second = member("Q", of: key) else {
      return
    }
    if try !Self.areFactors(first, second, of: modulus, outline, bytes) {
      problems.append("its Paillier key is not the product of its primes")
    }
  }

  /// Whether two numbers have equal digits.
  ///
  /// Anything but a number counts as equal.
  private static func isSame(
    _ first: JSONOutline.Value?, _ second: JSONOutline.Value?, _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) -> Bool {
    guard let first, let second, outline.kind(of: first) == .number, outline.kind(of: second) == .number
    else { return true }
    let digits = bytes.extracting(outline.range(of: first))
    return ConstantTime.areEqual(digits, bytes.extracting(outline.range(of: second)))
  }

  private static func areFactors(
    _ first: JSONOutline.Value, _ second: JSONOutline.Value, of product: JSONOutline.Value,
    _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) throws(CryptoError) -> Bool {
    guard [first, second, product].allSatisfy({ outline.kind(of: $0) == .number }) else { return true }
    let digits = outline.range(of: product)
    // Two digits take less than a byte.
    let byteCount = digits.count / 2 + 1
    guard digits.count <= digitCountLimit,
      let a = try DecimalNumber.secret(bytes.extracting(outline.range(of: first)), byteCount: byteCount),
      let b = try DecimalNumber.secret(bytes.extracting(outline.range(of: second)), byteCount: byteCount),
      let whole = DecimalNumber.long(bytes.extracting(digits), byteCount: byteCount)
    else { return false }
    return try FactorCheck.areFactors(a, b, of: whole)
  }
}

/// Converts decimal digits to big-endian bytes, by default 32.
enum DecimalNumber {
  static let byteCount = 32

  /// Converts public digits; nil for other characters, and for a number over 256 bits.
  static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
    var number = [UInt8](repeating: 0, count: byteCount)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Converts public digits; nil for a number of more than `byteCount` bytes too.
  static func long(_ digits: Span<UInt8>, byteCount: Int = 128) -> [UInt8]? {
    guard isShortEnough(digits, byteCount) else { return nil }
    var number = [UInt8](repeating: 0, count: byteCount)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Converts a secret's digits in place; nil for invalid digits.
  static func secret(
    _ digits: Span<UInt8>, byteCount: Int = DecimalNumber.byteCount
  ) throws(CryptoError) -> SecretBytes? {
    guard isShortEnough(digits, byteCount) else { return nil }
    var number = try SecretBytes(count: byteCount)
    let isRead = number.withMutableBytes { span in read(digits, into: &span) }
    guard isRead else { return nil }
    return number
  }

  /// Whether the number of digits may fit: the work grows with both digits and bytes.
  private static func isShortEnough(_ digits: Span<UInt8>, _ byteCount: Int) -> Bool {
    digits.count <= byteCount * 5 / 2
  }

  /// Multiplies by ten and adds each digit, directly on the bytes.
  private static func read(_ digits: Span<UInt8>, into number: inout MutableSpan<UInt8>) -> Bool {
    guard !digits.isEmpty else { return false }
    for position in digits.indices {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[position]) else { return false }
      var carry = UInt16(digits[position] - UInt8(ascii: "0"))
      for index in number.indices.reversed() {
        carry += UInt16(number[index]) * 10
        number[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      guard carry == 0 else { return false }
    }
    return true
  }
}
