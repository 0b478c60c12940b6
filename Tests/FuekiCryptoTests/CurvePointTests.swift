import FuekiCrypto
import TestSupport
import Testing

struct CurvePointTests {
  private static func padded(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [number] }

  private static func scalar(_ number: UInt8) throws -> SecretBytes {
    try SecretBytes(padded(number))
  }

  private static func sum(_ a: [UInt8], _ b: [UInt8], on curve: Curve) throws -> [UInt8] {
    let a = try SecretBytes(a)
    let b = try SecretBytes(b)
    return try CurveScalar.add(a, b, on: curve).exposed()
  }

  private static func product(_ a: [UInt8], _ b: [UInt8], on curve: Curve) throws -> [UInt8] {
    let a = try SecretBytes(a)
    let b = try SecretBytes(b)
    return try CurveScalar.multiply(a, b, on: curve).exposed()
  }

  // SEC 2 section 2.4.1, FIPS 186-4 section D.1.2.3, RFC 8032 section 5.1, and their multiples computed with
  // an independent implementation.
  @Test(arguments: [
    (
      Curve.secp256k1, UInt8(1), "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
      "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
      "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    ),
    (
      Curve.secp256k1, UInt8(2), "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
      "1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a",
      "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
    ),
    (
      Curve.secp256k1, UInt8(3), "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
      "388f7b0f632de8140fe337e62a37f3566500a99934c2231b6cb9fd7584b8e672",
      "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
    ),
    (
      Curve.secp256k1, UInt8(200), "cd5a3be41717d65683fe7a9de8ae5b4b8feced69f26a8b55eeefbcc2e74b75fb",
      "fd6381eaf29657fdb1373fbba578001efa92c34b1f38c89f9c0b605ba95832a5",
      "03cd5a3be41717d65683fe7a9de8ae5b4b8feced69f26a8b55eeefbcc2e74b75fb"
    ),
    (
      Curve.p256, UInt8(1), "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
      "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
      "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    ),
    (
      Curve.p256, UInt8(2), "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
      "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1",
      "037cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978"
    ),
    (
      Curve.p256, UInt8(3), "5ecbe4d1a6330a44c8f7ef951d4bf165e6c6b721efada985fb41661bc6e7fd6c",
      "8734640c4998ff7e374b06ce1a64a2ecd82ab036384fb83d9a79b127a27d5032",
      "025ecbe4d1a6330a44c8f7ef951d4bf165e6c6b721efada985fb41661bc6e7fd6c"
    ),
    (
      Curve.p256, UInt8(200), "3a535bd0be466ff3d856a077aad9504f16aa5d5228fcd7c2774885ee213f3b34",
      "66aba8185b3341e0c2e3d1b3ae69e47d0f01d4bbd706d9578b0b65d6d3de1efe",
      "023a535bd0be466ff3d856a077aad9504f16aa5d5228fcd7c2774885ee213f3b34"
    ),
    (
      Curve.ed25519, UInt8(1), "216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a",
      "6666666666666666666666666666666666666666666666666666666666666658",
      "5866666666666666666666666666666666666666666666666666666666666666"
    ),
    (
      Curve.ed25519, UInt8(2), "36ab384c9f5a046c3d043b7d1833e7ac080d8e4515d7a45f83c5a14e2843ce0e",
      "2260cdf3092329c21da25ee8c9a21f5697390f51643851560e5f46ae6af8a3c9",
      "c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022"
    ),
    (
      Curve.ed25519, UInt8(3), "67ae9c4a22928f491ff4ae743edac83a6343981981624886ac62485fd3f8e25c",
      "1267b1d177ee69aba126a18e60269ef79f16ec176724030402c3684878f5b4d4",
      "d4b4f5784868c3020403246717ec169ff79e26608ea126a1ab69ee77d1b16712"
    ),
    (
      Curve.ed25519, UInt8(200), "4f45db4a879cfc4cd1c0a65bdb070af9959cc588715bee1a9e9112b154d99b61",
      "6ea3bca5ab51f6f1cbd5bad1dbac5e23a0c7b875324a50bf9ba57f07d1f9dd17",
      "17ddf9d1077fa59bbf504a3275b8c7a0235eacdbd1bad5cbf1f651aba5bca3ee"
    ),
  ])
  func `small multiples of the generators`(
    curve: Curve, number: UInt8, x: String, y: String, encoding: String
  ) throws {
    let point = try CurvePoint.multiplyBase(Self.scalar(number), on: curve)
    #expect(Hex.encode(point) == encoding)
    #expect(try CurvePoint.compressed(x: bytes(x), y: bytes(y), on: curve) == point)
    #expect(CurvePoint.isValid(point, on: curve))
    #expect(point.count == curve.compressedByteCount)
  }

  @Test(arguments: Curve.allCases) func `coordinates off the curve are refused`(curve: Curve) throws {
    let zeros = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xFF, count: 32)
    for (x, y) in [([1], [1]), (zeros, ones), (ones, ones), ([], []), ([1] + zeros, [1])]
      as [([UInt8], [UInt8])]
    {
      #expect(throws: CryptoError.invalidPoint) { try CurvePoint.compressed(x: x, y: y, on: curve) }
    }
  }

  /// RFC 9496, appendix A.1.
  @Test(arguments: [
    (UInt8(1), "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"),
    (2, "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"),
    (3, "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259"),
  ]) func `small multiples of Ristretto's generator`(number: UInt8, encoding: String) throws {
    let point = try CurvePoint.multiplyBase(Self.scalar(number), on: .ristretto255)
    #expect(Hex.encode(point) == encoding)
    #expect(CurvePoint.isValid(point, on: .ristretto255))
    #expect(!CurvePoint.isValid([UInt8](repeating: 0, count: 32), on: .ristretto255))
    #expect(!CurvePoint.isValid([UInt8](repeating: 0xFF, count: 32), on: .ristretto255))
  }

  @Test func `long numbers are reduced, and longer ones refused`() throws {
    let order = try Self.order(of: .secp256k1)
    #expect(try CurveScalar.reduced(order, on: .secp256k1) == Self.padded(0))
    #expect(try CurveScalar.reduced(order + [9], on: .secp256k1) == Self.padded(9))
    #expect(throws: CryptoError.invalidLength) {
      try CurveScalar.reduced([UInt8](repeating: 1, count: 1025), on: .secp256k1)
    }
  }

  @Test(arguments: Curve.allCases) func `a secret number is reduced as a public one`(curve: Curve) throws {
    let order = try Self.order(of: curve)
    for number in [[], [7], order, order + [9], order + order.dropLast() + [1], [1] + order] {
      let reduced = try CurveScalar.reduced(SecretBytes(number), on: curve).exposed()
      #expect(try reduced == CurveScalar.reduced(number, on: curve) && reduced.count == 32)
    }
    #expect(throws: CryptoError.invalidLength) {
      try CurveScalar.reduced(SecretBytes([UInt8](repeating: 1, count: 1025)), on: curve).count
    }
  }

  @Test func `a product is told from another`() throws {
    func areFactors(_ a: [UInt8], _ b: [UInt8], of product: [UInt8]) throws -> Bool {
      try FactorCheck.areFactors(SecretBytes(a), SecretBytes(b), of: product)
    }
    #expect(try areFactors([0, 3], [0x10, 1], of: [0x30, 3]))
    #expect(try !areFactors([0, 3], [0x10, 1], of: [0x30, 4]))
    #expect(try !areFactors([0], [0x10, 1], of: [0]))
  }

  @Test func `encodings that are no point are not valid`() throws {
    for curve in [Curve.secp256k1, .p256] {
      let point = try CurvePoint.multiplyBase(Self.scalar(5), on: curve)
      for wrong: [UInt8] in [[], [0], [4] + point.dropFirst(), point + [0], Array(point.dropLast())] {
        #expect(!CurvePoint.isValid(wrong, on: curve))
      }
      #expect(!CurvePoint.isValid([2] + [UInt8](repeating: 0xFF, count: 32), on: curve))
    }
    // x = 5 has no y on secp256k1.
    #expect(!CurvePoint.isValid([2] + [UInt8](repeating: 0, count: 31) + [5], on: .secp256k1))
    // Neutral, of order two, of order four, not canonical, and y = 2, which has no x.
    let zeros = [UInt8](repeating: 0, count: 31)
    let canonicalTop: [UInt8] = [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    for wrong in [[1] + zeros, [0xEC] + canonicalTop, [0] + zeros, [0xEE] + canonicalTop, [2] + zeros] {
      #expect(!CurvePoint.isValid(wrong, on: .ed25519))
    }
    #expect(!CurvePoint.isValid(zeros, on: .ed25519))
  }

  @Test func `a point of small order is refused by its coordinates too`() {
    // (0, 1) is the neutral point and on the curve.
    #expect(throws: CryptoError.invalidPoint) { try CurvePoint.compressed(x: [], y: [1], on: .ed25519) }
  }

  @Test(arguments: Curve.allCases) func `scalars outside the group's order are refused`(curve: Curve) throws {
    let order = try Self.order(of: curve)
    let wrong = [
      [UInt8](repeating: 0, count: 32), order, [UInt8](repeating: 0xFF, count: 32), [1], order + [0],
    ]
    for bytes in wrong {
      let scalar = try SecretBytes(bytes)
      #expect(throws: CryptoError.invalidKey) { try CurvePoint.multiplyBase(scalar, on: curve) }
      let isKey = CurveScalar.isKey(scalar, on: curve)
      #expect(!isKey)
    }
    var last = order
    last[31] -= 1
    let greatest = try SecretBytes(last)
    let negated = try CurvePoint.multiplyBase(greatest, on: curve)
    let generator = try CurvePoint.multiplyBase(Self.scalar(1), on: curve)
    switch curve {
    case .secp256k1, .p256, .stark: #expect(negated == [generator[0] ^ 1] + generator.dropFirst())
    case .ed25519: #expect(negated == generator.dropLast() + [generator[31] ^ 0x80])
    case .ristretto255: #expect(negated != generator)
    }
  }

  @Test(arguments: Curve.allCases) func `sums and products are those of the integers`(curve: Curve) throws {
    let order = try Self.order(of: curve)
    let minusOne: [UInt8] = order.dropLast() + [order[31] - 1]
    #expect(try Self.sum(Self.padded(3), Self.padded(4), on: curve) == Self.padded(7))
    #expect(try Self.product(Self.padded(3), Self.padded(4), on: curve) == Self.padded(12))
    #expect(try Self.sum(minusOne, Self.padded(6), on: curve) == Self.padded(5))
    #expect(try Self.sum(minusOne, Self.padded(1), on: curve) == Self.padded(0))
    #expect(try Self.product(minusOne, minusOne, on: curve) == Self.padded(1))
    #expect(throws: CryptoError.invalidKey) { try Self.sum(order, Self.padded(1), on: curve) }
    #expect(throws: CryptoError.invalidKey) { try Self.product(Self.padded(1), order, on: curve) }
  }

  @Test(arguments: Curve.allCases) func `random scalars are keys and differ`(curve: Curve) throws {
    for _ in 0..<20 {
      let first = try CurveScalar.random(on: curve)
      let second = try CurveScalar.random(on: curve)
      let isKey = CurveScalar.isKey(first, on: curve)
      let isRepeated = first.isEqualInConstantTime(to: second)
      #expect(isKey && !isRepeated)
    }
  }

  @Test func `an EVM address is found from a compressed key`() throws {
    let key = try CurvePoint.multiplyBase(Self.scalar(1), on: .secp256k1)
    let coordinates = try CurvePoint.uncompressedSecp256k1(key)
    #expect(coordinates.count == 64)
    #expect(coordinates.prefix(32) == key.dropFirst())
    let address = Hex.encode(Array(Keccak256.hash(coordinates.span).bytes.suffix(20)))
    #expect(address == "7e5f4552091a69125d5dfcb7b8c2659029395bdf")
    let none = [UInt8(2)] + [UInt8](repeating: 0, count: 31) + [5]
    #expect(throws: CryptoError.invalidPoint) { try CurvePoint.uncompressedSecp256k1(none) }
  }

  @Test(
    .enabled(
      if: Fixtures.folder("tss-lib") != nil && Fixtures.folder("tss-lib-eddsa") != nil,
      "no tss-lib key shares here"),
    arguments: [("tss-lib", Curve.secp256k1), ("tss-lib-eddsa", .ed25519)])
  func `shares of tss-lib match their public shares`(folder: String, curve: Curve) throws {
    for party in 0..<5 {
      let file = try #require(try KeyGeneration.read("\(folder)/keygen_data_\(party).json"))
      let share = try SecretBytes(file.share)
      let expected = try CurvePoint.compressed(x: file.publicShare.x, y: file.publicShare.y, on: curve)
      #expect(try CurvePoint.multiplyBase(share, on: curve) == expected)
    }
  }

  private static func order(of curve: Curve) throws -> [UInt8] {
    switch curve {
    case .secp256k1: try bytes("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
    case .p256: try bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    case .ed25519, .ristretto255:
      try bytes("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed")
    case .stark: try bytes("0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2f")
    }
  }
}
