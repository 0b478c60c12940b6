import FuekiCrypto
import TestSupport
import Testing

struct XChaCha20Poly1305Tests {
  struct Vector: Decodable, Sendable {
    let key, iv, aad, msg, ct, tag, result: String
    let tcId: Int
  }
  struct Group: Decodable { let tests: [Vector] }

  // draft-irtf-cfrg-xchacha-03 appendix A.3.1.
  private static let plaintext = Array(
    """
    Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
    sunscreen would be it.
    """.utf8)
  private static let sealed = """
    bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39
    ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9
    21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
    """
  private static let nonce: [UInt8] = Array(0x40...0x57)
  private static let additionalData: [UInt8] = [0x50, 0x51, 0x52, 0x53] + Array(0xC0...0xC7)

  private static func key() throws -> SecretBytes { try SecretBytes([UInt8](0x80...0x9F)) }

  @Test func `the draft's vector seals and opens`() throws {
    let key = try Self.key()
    let sealed = try XChaCha20Poly1305.seal(
      Self.plaintext.span, key: key, nonce: Self.nonce, additionalData: Self.additionalData)
    #expect(sealed == (try bytes(Self.sealed)))
    let opened = try XChaCha20Poly1305.open(
      sealed.span, key: key, nonce: Self.nonce, additionalData: Self.additionalData)
    #expect(opened == Self.plaintext)
    let secret = try XChaCha20Poly1305.openSecret(
      sealed.span, key: key, nonce: Self.nonce, additionalData: Self.additionalData)
    #expect(secret.exposed() == Self.plaintext)
  }

  @Test(arguments: [0, 1, 16_384]) func `what was sealed opens behind what is there`(count: Int) throws {
    let key = try SecretBytes.random(count: 32)
    let nonce = RandomBytes.bytes(24)
    let message = RandomBytes.bytes(count)
    var sealed: [UInt8] = [1, 2]
    try XChaCha20Poly1305.seal(message.span, key: key, nonce: nonce, appendingTo: &sealed)
    #expect(sealed.count == 2 + count + XChaCha20Poly1305.tagByteCount)
    let whole = try XChaCha20Poly1305.seal(message.span, key: key, nonce: nonce, additionalData: [])
    #expect(sealed == [1, 2] + whole)
    var opened: [UInt8] = [3]
    try XChaCha20Poly1305.open(whole.span, key: key, nonce: nonce, appendingTo: &opened)
    #expect(opened == [3] + message)
    var fresh: [UInt8] = []
    try XChaCha20Poly1305.open(whole.span, key: key, nonce: nonce, appendingTo: &fresh)
    #expect(fresh == message)
  }

  @Test func `every flipped bit and every cut is noticed`() throws {
    let key = try SecretBytes.random(count: 32)
    let message: [UInt8] = [1, 2, 3]
    let sealed = try XChaCha20Poly1305.seal(message.span, key: key, nonce: Self.nonce, additionalData: [])
    var output: [UInt8] = [9]
    for bit in 0..<sealed.count * 8 {
      var damaged = sealed
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: CryptoError.notAuthentic) {
        try XChaCha20Poly1305.open(damaged.span, key: key, nonce: Self.nonce, appendingTo: &output)
      }
      #expect(output == [9])
    }
    for count in 0..<sealed.count {
      let cut = Array(sealed.prefix(count))
      #expect(throws: CryptoError.notAuthentic) {
        try XChaCha20Poly1305.open(cut.span, key: key, nonce: Self.nonce, additionalData: [])
      }
      #expect(throws: CryptoError.notAuthentic) {
        _ = try XChaCha20Poly1305.openSecret(cut.span, key: key, nonce: Self.nonce, additionalData: [])
      }
    }
  }

  @Test func `another key, nonce or binding does not open`() throws {
    let sealed = try bytes(Self.sealed)
    let key = try Self.key()
    let other = try SecretBytes.random(count: 32)
    let data = Self.additionalData
    #expect(throws: CryptoError.notAuthentic) {
      try XChaCha20Poly1305.open(sealed.span, key: other, nonce: Self.nonce, additionalData: data)
    }
    #expect(throws: CryptoError.notAuthentic) {
      try XChaCha20Poly1305.open(sealed.span, key: key, nonce: Self.nonce.reversed(), additionalData: data)
    }
    #expect(throws: CryptoError.notAuthentic) {
      try XChaCha20Poly1305.open(sealed.span, key: key, nonce: Self.nonce, additionalData: [])
    }
  }

  @Test func `other lengths of key and nonce are refused`() throws {
    let key = try Self.key()
    let none: [UInt8] = []
    let short = try SecretBytes(count: 31)
    #expect(throws: CryptoError.invalidKey) {
      try XChaCha20Poly1305.seal(none.span, key: short, nonce: Self.nonce, additionalData: [])
    }
    #expect(throws: CryptoError.invalidLength) {
      try XChaCha20Poly1305.seal(none.span, key: key, nonce: [1], additionalData: [])
    }
  }

  @Test func `Wycheproof's vectors`() throws {
    let vectors = try Wycheproof<Group>.read("xchacha20_poly1305").flatMap(\.tests)
    #expect(vectors.count > 15)
    for vector in vectors {
      let (nonce, aad, message) = (try bytes(vector.iv), try bytes(vector.aad), try bytes(vector.msg))
      let sealed = try bytes(vector.ct + vector.tag)
      let key = try secret(vector.key)
      if vector.result == "valid" {
        let made = try XChaCha20Poly1305.seal(message.span, key: key, nonce: nonce, additionalData: aad)
        #expect(made == sealed, "case \(vector.tcId)")
        let opened = try XChaCha20Poly1305.open(sealed.span, key: key, nonce: nonce, additionalData: aad)
        #expect(opened == message, "case \(vector.tcId)")
      } else {
        let refusal = nonce.count == 24 ? CryptoError.notAuthentic : .invalidLength
        #expect(throws: refusal, "case \(vector.tcId)") {
          try XChaCha20Poly1305.open(sealed.span, key: key, nonce: nonce, additionalData: aad)
        }
      }
    }
  }
}
