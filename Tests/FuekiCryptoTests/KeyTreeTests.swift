import FuekiCrypto
import Testing

/// The building blocks of BIP-32, BIP-39 and BIP-341.
struct KeyTreeTests {
  // RFC 4231 sections 4.2, 4.3 and 4.7.
  @Test(arguments: [
    (
      String(repeating: "0b", count: 20), "4869205468657265",
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
        + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
    ),
    (
      "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
    (
      String(repeating: "aa", count: 131),
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
        + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
    ),
  ])
  func `the codes of RFC 4231`(_ key: String, _ message: String, _ code: String) throws {
    let (key, message) = try (bytes(key), bytes(message))
    #expect(try HMACSHA512.code(of: message.span, key: key.span) == bytes(code))
  }

  @Test func `a code of nothing under nothing`() throws {
    let none: [UInt8] = []
    let code = try HMACSHA512.code(of: none.span, key: none.span)
    #expect(
      try code
        == bytes(
          "b936cee86c9f87aa5d3c6f2e84cb5a4239a5fe50480a6ec66b70ab5b1f4ac673"
            + "0c6c515421b327ec1d69402e53dfb49ad7381eb067b338fd7b0cb22247225d47"))
  }

  @Test func `the seed of BIP-39's first words`() throws {
    let words = Array(
      "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about".utf8)
    let password = try SecretBytes(words)
    let salt = try SecretBytes(Array("mnemonicTREZOR".utf8))
    let seed = try PBKDF2.derive(from: password, salt: salt, iterations: 2048, count: 64, hash: .sha512)
    #expect(
      try seed.exposed()
        == bytes(
          "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531"
            + "f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04"))
  }

  @Test func `a tweaked point is the tweaked scalar's`() throws {
    for _ in 0..<20 {
      let key = try CurveScalar.random(on: .secp256k1)
      let tweak = try CurveScalar.random(on: .secp256k1)
      let point = try CurvePoint.multiplyBase(key, on: .secp256k1)
      let sum = try CurveScalar.add(key, tweak, on: .secp256k1)
      let expected = try CurvePoint.multiplyBase(sum, on: .secp256k1)
      #expect(try CurvePoint.tweakedSecp256k1(point, byBaseTimes: tweak.exposed()) == expected)
    }
  }

  @Test func `tweaks that lead to no key are refused`() throws {
    let one = [UInt8](repeating: 0, count: 31) + [1]
    let base = try CurvePoint.multiplyBase(SecretBytes(one), on: .secp256k1)
    let order = try bytes("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
    let lessOne = try bytes("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140")
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(throws: CryptoError.invalidKey) { try CurvePoint.tweakedSecp256k1(base, byBaseTimes: order) }
    #expect(throws: CryptoError.invalidKey) { try CurvePoint.tweakedSecp256k1(base, byBaseTimes: lessOne) }
    #expect(throws: CryptoError.invalidKey) { try CurvePoint.tweakedSecp256k1(base, byBaseTimes: [1]) }
    #expect(throws: CryptoError.invalidPoint) {
      try CurvePoint.tweakedSecp256k1([2] + zero, byBaseTimes: one)
    }
    #expect(try CurvePoint.tweakedSecp256k1(base, byBaseTimes: zero) == base)
  }
}
