import FuekiCrypto
import Testing

@Suite struct `Keys of validators` {
  private func secret(_ digits: String) throws -> SecretBytes {
    let bytes = try #require(Hex.decode(digits))
    return try SecretBytes(copying: bytes.span)
  }

  // The example of EIP-2335, and the generator itself.
  @Test(arguments: [
    (
      "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
      "9612d7a727c9d0a22e185a1c768478dfe919cada9266988cb32359c11f2b7b27f4ae4040902382ae2910c15e2b420d07"
    ),
    (
      "0000000000000000000000000000000000000000000000000000000000000001",
      "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
    ),
    // The order minus one: the same x, and the other y.
    (
      "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000",
      "b7f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
    ),
  ]) func `a secret times the generator`(_ pair: (secret: String, point: String)) throws {
    let point = try BLS12381.publicKey(secret: try secret(pair.secret))
    #expect(Hex.encode(point) == pair.point)
    #expect(BLS12381.isShapedAsPublicKey(point))
  }

  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "01",
  ]) func `what is no secret is refused`(_ digits: String) throws {
    let secret = try secret(digits)
    #expect(throws: CryptoError.invalidKey) { try BLS12381.publicKey(secret: secret).count }
  }

  @Test(arguments: [
    ("𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑", "testpassword🔑"), ("a\u{1}b\u{7F}\n", "ab"), ("\u{85}é", "e\u{301}"), ("", ""),
  ]) func `passwords lose compatibility forms and control characters`(_ pair: (typed: String, form: String))
    throws
  {
    let form = try KeystorePassword.form(of: try SecretBytes(copying: Array(pair.typed.utf8).span))
    let bytes = form.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    #expect(bytes == Array(pair.form.utf8))
  }
}

@Suite struct `Messages of libsodium and of browsers` {
  @Test func `the first message of a stream, and nothing that was altered`() throws {
    let key = try SecretBytes(copying: Array(UInt8(0)..<32).span)
    var sealed = try #require(
      Hex.decode(
        "837238908474ee2ec8a1819a345be67d46e00870d25bb91742bd9c3ff741d31cd3a6c378281bd5de91cce7c6f0ada2f59ebd3a4c"
          + "35f8ba145d07ff8f366a3153a4d6b5eccb93f85ad3"))
    let text = try SecretStream.open(sealed.span, key: key)
    #expect(text.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array(UInt8(100)..<132))
    for place in sealed.indices {
      sealed[place] ^= 1
      #expect(throws: CryptoError.notAuthentic) { try SecretStream.open(sealed.span, key: key).count }
      sealed[place] ^= 1
    }
    for count in 0..<sealed.count {
      let cut = Array(sealed[..<count])
      #expect(throws: CryptoError.notAuthentic) { try SecretStream.open(cut.span, key: key).count }
    }
  }

  @Test func `Galois counter mode with a nonce of a block's length`() throws {
    let key = try SecretBytes(copying: Array(UInt8(0)..<32).span)
    let sealed = try #require(Hex.decode("0f09cc1a560c84c431837297c0b19e77e5608162ea"))
    let text = try AESCipher.openGCM(sealed.span, key: key, nonce: Array(0..<16))
    #expect(text.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array("hello".utf8))
    #expect(throws: CryptoError.notAuthentic) {
      try AESCipher.openGCM(sealed.span, key: key, nonce: Array(0..<12)).count
    }
    #expect(throws: CryptoError.invalidLength) {
      try AESCipher.openGCM(sealed.span, key: key, nonce: Array(0..<13)).count
    }
  }
}
