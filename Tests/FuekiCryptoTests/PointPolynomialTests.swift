import FuekiCrypto
import TestSupport
import Testing

/// A polynomial with three coefficients, computed with an independent implementation of the three curves.
private struct PublishedPolynomial {
  let key: String
  let values: [(x: String, point: String)]

  func shares() throws -> [(x: [UInt8], point: [UInt8])] {
    try values.map { (try bytes($0.x), try bytes($0.point)) }
  }
}

extension Curve {
  fileprivate var polynomial: PublishedPolynomial {
    switch self {
    case .secp256k1:
      PublishedPolynomial(
        key: "02d8463f0186bb84eee7978ce03c14cfdaa6b363de16395b0db01a4f0f5ec7e4a9",
        values: [
          (
            "0000000000000000000000000000000000000000000000000000000000000001",
            "027a69b546118f1cb21b1d5af57dedad6565bbd053c3856e890b0b0ceab80e5bcc"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000002",
            "0315bdd74ec8e0397a231fab7627757bd27a07cc374e43d01bca40da3939e229a6"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000007",
            "0232a326e5f6c9bc52ce9a00ef58579586d0b168b7866fa1c160d1a33aff4b7d65"
          ),
          (
            "c019dc3908a32b13db69713beecbfd4d9f904216e84f002b0eb53cb698670c59",
            "03c56f51ae470b889bd15a1f3fb9fe7badff5db569e216af067a53878983be1d71"
          ),
          (
            "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140",
            "038d56e2cd87e43ff47172e6b8473911da225ce3707dcb72d7b79a4ea143519b97"
          ),
        ])
    case .p256:
      PublishedPolynomial(
        key: "031c514115768a82a94ac5dc2e611c446e8ea303f9702f178e8211b21e6d1ec5d8",
        values: [
          (
            "0000000000000000000000000000000000000000000000000000000000000001",
            "02cca4525dcc87a012ae8bebcafc6698e4ee0fb4543b5f760749c2612a18ef5a35"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000002",
            "024a4ff2723bb4110613c3d041732e36ea2c9bc2da683216287b68ce855b0b31c4"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000007",
            "025619448b1a628bb4e9a8809dda4e3ff559d02d411932701174b862c70c2dab68"
          ),
          (
            "7262d4c87c467d8de434c24001dbbe6ee3ca4363e9ddc95562e8b42f7bfe9477",
            "02f54dfb3711db020a8f09b5d221ad4f20496e154e12a462ea3e2ce9fd5cfe166f"
          ),
          (
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
            "031e59dc3cccc52e8bf3de5327a02ea33e4e26c8341b03e8d33ce091ddd5f47fe8"
          ),
        ])
    // These two were computed by a short program in another language.
    case .ristretto255:
      PublishedPolynomial(
        key: "48d6ec2d0a343a4dc43b160c0afba1a132265b51fcaaa868a2f98ec6d211991c",
        values: [
          (
            "0000000000000000000000000000000000000000000000000000000000000001",
            "fe08ed354ca8ce477290fb88baf661c5a7c04fa3052144abf10d17695ab37d56"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000002",
            "4ead0ef699bdbc33123c08209e2f98133040759bb9aef4091e9bb912c6eb1405"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000007",
            "cad9f29f01f3ea236d6f220bafdaa58fb2bfdc9e860b262cf6e0a690ed4e0b3d"
          ),
          (
            "0d711642b726b04401627ca9fbac32f59e951bf44a4d8b2e5200c0e2d82ea0a7",
            "46fe3527c67f762fd372cd09a687fc48307f46879f4dbb31d4169365829db265"
          ),
          (
            "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ec",
            "724fbfbcc90e6f94897f8b3856a80b6a698578681d760a9732197d310ca2561e"
          ),
        ])
    case .stark:
      PublishedPolynomial(
        key: "03020dacefa770c57999de39f8a1f37fa85c26fc8b7d61a6c7d97c806fdaddc0ed",
        values: [
          (
            "0000000000000000000000000000000000000000000000000000000000000001",
            "030293e4174f41a626ed1a9ec56d18dd647179de73c11975fb9d474169cf6e9021"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000002",
            "030547e934b75e7558375772e0a4fe2a7fb29dc8349ab0d9f46cde5a125a666183"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000007",
            "03030119d829408a024895b393600604af898b2c68f6d4cf41b115cc2638fb3e4a"
          ),
          (
            "05711642b726afef01627ca9fbac32f732cdb38c99b649e06a245bcf2d3ac696",
            "03042f1106b420a4705d2639f78a5a9cc7389909fa57d5d7b054b6ebafff57c91f"
          ),
          (
            "0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2e",
            "03049475b1297ec649a7dc2707ca251c22f4a2372fc0c3950b9bf89730a28fb41f"
          ),
        ])
    case .ed25519:
      PublishedPolynomial(
        key: "a5fa7ef47bd881acb1b8ed5f30c3262d9085ab4f0f14ada04c5c076092c07f19",
        values: [
          (
            "0000000000000000000000000000000000000000000000000000000000000001",
            "c7f8ae4819f01ac5801f998f0ccc6ee5da2c76c1d27fccbe90e1c23fe2dbbaec"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000002",
            "799e01785415771cf50d46e0f435e6dbbc6df8c0b8ebb6345895e7f41c0a2eca"
          ),
          (
            "0000000000000000000000000000000000000000000000000000000000000007",
            "7fbf98961a1ceb581bef91b38d11ff5dfcf5a853826f0ee870b651368997fb61"
          ),
          (
            "22c70d05926fdca574f191aa98b8f2d1535b563c21ebac92bd3dc5aca5d21583",
            "67acbf3710a07f7af5c7891e2a885f5d292ab433b816f2f2004fda28e241bc08"
          ),
          (
            "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ec",
            "36eebda4536e48bfe88b3e55441ab1e35c7abe942affd09507c07c442417deb2"
          ),
        ])
    }
  }
}

/// The values of a polynomial with random coefficients, at 1, 2, 3 and so on.
private struct RandomPolynomial {
  let key: [UInt8]
  var values: [(x: [UInt8], point: [UInt8])] = []

  init(coefficients count: Int, values valueCount: Int, on curve: Curve) throws {
    var coefficients: [SharedSecret] = []
    for _ in 0..<count { coefficients.append(SharedSecret(try CurveScalar.random(on: curve))) }
    key = try CurvePoint.multiplyBase(coefficients[0].bytes, on: curve)
    for number in 1...valueCount {
      let x = [UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 255)]
      let place = try SecretBytes(x)
      var value = try SecretBytes(count: 32)
      for coefficient in coefficients.reversed() {
        let product = try CurveScalar.multiply(value, place, on: curve)
        value = try CurveScalar.add(product, coefficient.bytes, on: curve)
      }
      values.append((x, try CurvePoint.multiplyBase(value, on: curve)))
    }
  }

  var withKey: [(x: [UInt8], point: [UInt8])] { [([], key)] + values }
}

struct PointPolynomialTests {
  private static func subsets(of count: Int, size: Int) -> [[Int]] {
    (0..<(1 << count)).map { bits in (0..<count).filter { bits >> $0 & 1 == 1 } }.filter { $0.count == size }
  }

  @Test(arguments: Curve.allCases) func `any three of five published points give the key`(curve: Curve) throws
  {
    let shares = try curve.polynomial.shares()
    let key = try bytes(curve.polynomial.key)
    for size in 1...5 {
      for subset in Self.subsets(of: 5, size: size) {
        let found = try CurvePoint.interpolateAtZero(subset.map { shares[$0] }, on: curve)
        #expect((found == key) == (size >= 3), "\(subset)")
      }
    }
    let fit = try PointPolynomial([([], key)] + shares, on: curve).fit()
    #expect(fit == .all(coefficients: 3))
  }

  @Test(arguments: Curve.allCases) func `x is taken modulo the group's order`(curve: Curve) throws {
    var shares = try curve.polynomial.shares()
    let order = try bytes(curve.orderText)
    shares[0].x = Array(order.dropLast()) + [order[31] + 1]
    #expect(try CurvePoint.interpolateAtZero(shares, on: curve) == bytes(curve.polynomial.key))
    shares[0].x = order
    #expect(throws: CryptoError.invalidKey) { try CurvePoint.interpolateAtZero(shares, on: curve) }
    shares[0].x = Array(order.dropLast()) + [order[31] + 2]
    #expect(throws: CryptoError.invalidKey) { try CurvePoint.interpolateAtZero(shares, on: curve) }
    #expect(throws: CryptoError.invalidKey) { try PointPolynomial(shares, on: curve) }
  }

  @Test(arguments: Curve.allCases) func `what are no shares is refused`(curve: Curve) throws {
    let shares = try curve.polynomial.shares()
    func refusal(_ shares: [(x: [UInt8], point: [UInt8])]) -> CryptoError? {
      do throws(CryptoError) {
        _ = try CurvePoint.interpolateAtZero(shares, on: curve)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal([]) == .invalidLength)
    #expect(refusal([shares[0], shares[0]]) == .invalidKey)
    #expect(refusal([([0, 0], shares[0].point), shares[1]]) == .invalidKey)
    #expect(refusal([([1] + shares[3].x, shares[0].point)]) == .invalidLength)
    #expect(refusal([(shares[0].x, [])]) == .invalidPoint)
    #expect(refusal([(shares[0].x, shares[0].point.reversed() + [1])]) == .invalidPoint)
  }

  @Test func `a point of small order is refused`() throws {
    let small = [UInt8](repeating: 0xEC, count: 1) + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    #expect(throws: CryptoError.invalidPoint) {
      try CurvePoint.interpolateAtZero([([1], small)], on: .ed25519)
    }
  }

  @Test(arguments: Curve.allCases)
  func `the one point that does not fit is found`(curve: Curve) throws {
    let wrong = try CurvePoint.multiplyBase(CurveScalar.random(on: curve), on: curve)
    for (coefficients, count) in [(2, 3), (2, 5), (3, 5), (4, 5)] {
      let polynomial = try RandomPolynomial(coefficients: coefficients, values: count, on: curve)
      #expect(try PointPolynomial(polynomial.withKey, on: curve).fit() == .all(coefficients: coefficients))
      for place in 0...count {
        var values = polynomial.withKey
        values[place].point = wrong
        let fit = try PointPolynomial(values, on: curve).fit()
        #expect(fit == .allBut(place: place, coefficients: coefficients))
      }
    }
  }

  @Test(arguments: Curve.allCases) func `of too few points none can be blamed`(curve: Curve) throws {
    let wrong = try CurvePoint.multiplyBase(CurveScalar.random(on: curve), on: curve)
    for (coefficients, count) in [(3, 3), (5, 5), (3, 2)] {
      var values = try RandomPolynomial(coefficients: coefficients, values: count, on: curve).withKey
      if count >= coefficients {
        #expect(try PointPolynomial(values, on: curve).fit() == .all(coefficients: coefficients))
      }
      values[1].point = wrong
      #expect(try PointPolynomial(values, on: curve).fit() == .unclear)
    }
    var twoWrong = try RandomPolynomial(coefficients: 2, values: 6, on: curve).withKey
    twoWrong[1].point = wrong
    twoWrong[4].point = wrong
    #expect(try PointPolynomial(twoWrong, on: curve).fit() == .unclear)
  }

  @Test func `as many points as are compared take seconds, not minutes`() throws {
    var values = try RandomPolynomial(coefficients: 20, values: 40, on: .p256).withKey
    #expect(try PointPolynomial(values, on: .p256).fit() == .all(coefficients: 20))
    values[9].point = values[8].point
    #expect(try PointPolynomial(values, on: .p256).fit() == .allBut(place: 9, coefficients: 20))
    let many = Array(repeating: values[0], count: PointPolynomial.pointLimit + 1)
    #expect(throws: CryptoError.invalidLength) { try PointPolynomial(many, on: .p256) }
  }
}

extension Curve {
  fileprivate var orderText: String {
    switch self {
    case .secp256k1: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
    case .p256: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    case .ed25519, .ristretto255: "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"
    case .stark: "0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2f"
    }
  }
}
