import FuekiCrypto
import TestSupport
import Testing

struct X25519Tests {
  struct Vector: Decodable, Sendable {
    let `public`, `private`, shared: String
    let tcId: Int
  }
  struct Group: Decodable { let tests: [Vector] }

  // RFC 7748 section 5.2.
  @Test(arguments: [
    (
      "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
      "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
      "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    ),
    (
      "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
      "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
      "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
    ),
  ])
  func `the RFC's products`(scalar: String, point: String, product: String) throws {
    let key = try secret(scalar)
    let shared = try X25519.product(key, bytes(point))
    #expect(Hex.encode(shared.exposed()) == product)
  }

  // RFC 7748 section 5.2: each round's product is the next key, and the key is the next point.
  @Test func `the RFC's thousand rounds`() throws {
    var point = [9] + [UInt8](repeating: 0, count: 31)
    var scalar = point
    for round in 1...1000 {
      let key = try SecretBytes(scalar)
      let product = try X25519.product(key, point)
      (point, scalar) = (scalar, product.exposed())
      if round == 1 {
        #expect(Hex.encode(scalar) == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079")
      }
    }
    #expect(Hex.encode(scalar) == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")
  }

  // RFC 7748 section 6.1.
  @Test func `the RFC's two people agree`() throws {
    let alice = try secret("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    let bob = try secret("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let ofAlice = try X25519.publicKey(of: alice)
    let ofBob = try X25519.publicKey(of: bob)
    #expect(Hex.encode(ofAlice) == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    #expect(Hex.encode(ofBob) == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    let shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    let ofFirst = try X25519.product(alice, ofBob)
    let ofSecond = try X25519.product(bob, ofAlice)
    #expect(Hex.encode(ofFirst.exposed()) == shared)
    #expect(Hex.encode(ofSecond.exposed()) == shared)
  }

  @Test func `other lengths and points of small order are refused`() throws {
    let key = try SecretBytes.random(count: 32)
    let short = try SecretBytes.random(count: 31)
    let point = try X25519.publicKey(of: key)
    #expect(throws: CryptoError.invalidKey) { try X25519.publicKey(of: short) }
    #expect(throws: CryptoError.invalidKey) { _ = try X25519.product(short, point) }
    #expect(throws: CryptoError.invalidKey) { _ = try X25519.product(key, Array(point.dropLast())) }
    for first in [0, 1] as [UInt8] {
      let small = [first] + [UInt8](repeating: 0, count: 31)
      #expect(throws: CryptoError.invalidPoint) { _ = try X25519.product(key, small) }
    }
  }

  // "Acceptable" vectors leave products of zeros to the protocol. Only these are refused here.
  @Test func `Wycheproof's vectors`() throws {
    let vectors = try Wycheproof<Group>.read("x25519").flatMap(\.tests)
    #expect(vectors.count > 15)
    for vector in vectors {
      let key = try secret(vector.private)
      let point = try bytes(vector.public)
      if vector.shared.allSatisfy({ $0 == "0" }) {
        #expect(throws: CryptoError.invalidPoint, "case \(vector.tcId)") {
          _ = try X25519.product(key, point)
        }
      } else {
        let shared = try X25519.product(key, point)
        #expect(Hex.encode(shared.exposed()) == vector.shared, "case \(vector.tcId)")
      }
    }
  }
}
