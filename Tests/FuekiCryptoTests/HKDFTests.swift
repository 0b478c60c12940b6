import FuekiCrypto
import TestSupport
import Testing

struct HKDFTests {
  struct Vector: Decodable, Sendable {
    let ikm, salt, info: String
    let size: Int
    let okm, result: String
  }
  struct Group: Decodable { let tests: [Vector] }

  // RFC 5869 appendix A, cases 1 to 3.
  @Test func `the RFC's first case`() throws {
    let prk = try HKDF.extract(
      salt: bytes("000102030405060708090a0b0c"),
      ikm: SecretBytes([UInt8](repeating: 0x0B, count: 22)))
    #expect(prk.exposed() == (try bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")))
    let okm = try HKDF.expand(prk: prk, info: bytes("f0f1f2f3f4f5f6f7f8f9"), count: 42)
    let expected = try bytes(
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    #expect(okm.exposed() == expected)
  }

  @Test func `the RFC's second case, with long inputs`() throws {
    let prk = try HKDF.extract(
      salt: Array(0x60...0xAF), ikm: SecretBytes(Array(0x00...0x4F)))
    #expect(prk.exposed() == (try bytes("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244")))
    let okm = try HKDF.expand(prk: prk, info: Array(0xB0...0xFF), count: 82)
    let expected = try bytes(
      """
      b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
      da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
      """)
    #expect(okm.exposed() == expected)
  }

  @Test func `the RFC's third case, with neither salt nor info`() throws {
    let prk = try HKDF.extract(salt: [], ikm: SecretBytes([UInt8](repeating: 0x0B, count: 22)))
    #expect(prk.exposed() == (try bytes("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04")))
    let okm = try HKDF.expand(prk: prk, info: [], count: 42)
    let expected = try bytes(
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    #expect(okm.exposed() == expected)
  }

  @Test func `lengths that the RFC does not define are refused`() throws {
    let prk = try SecretBytes.random(count: 32)
    #expect(try HKDF.expand(prk: prk, info: [], count: 0).count == 0)
    #expect(try HKDF.expand(prk: prk, info: [], count: 255 * 32).count == 255 * 32)
    #expect(throws: CryptoError.invalidLength) {
      _ = try HKDF.expand(prk: prk, info: [], count: 255 * 32 + 1)
    }
    #expect(throws: CryptoError.invalidLength) { _ = try HKDF.expand(prk: prk, info: [], count: -1) }
    let short = try SecretBytes.random(count: 31)
    #expect(throws: CryptoError.invalidLength) { _ = try HKDF.expand(prk: short, info: [], count: 32) }
  }

  @Test func `Wycheproof's vectors`() throws {
    let vectors = try Wycheproof<Group>.read("hkdf_sha256").flatMap(\.tests)
    #expect(vectors.count > 15)
    for vector in vectors {
      let prk = try HKDF.extract(salt: bytes(vector.salt), ikm: secret(vector.ikm))
      let info = try bytes(vector.info)
      if vector.result == "valid" {
        let okm = try HKDF.expand(prk: prk, info: info, count: vector.size)
        #expect(Hex.encode(okm.exposed()) == vector.okm)
      } else {
        #expect(throws: CryptoError.invalidLength) {
          _ = try HKDF.expand(prk: prk, info: info, count: vector.size)
        }
      }
    }
  }
}
