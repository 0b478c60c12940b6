internal import FuekiCrypto
internal import FuekiWallet

/// The party's own Paillier key and moduli, which occur twice in a share file: separately, and among all
/// parties'.
///
/// A share with a correct scalar but moduli of another party or epoch cannot sign.
struct TssLibModuli {
  /// The limit of a number's digits: 8192 bits.
  private static let digitCountLimit = 2467

  private(set) var problems: [String] = []

  /// Compares the values in the file.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
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
