import FuekiCrypto
import Testing

struct ScryptTests {
  // RFC 7914 section 12.
  @Test func `the vectors of RFC 7914`() throws {
    for (password, salt, cost, expected) in [
      (
        "", "", Scrypt.Cost(n: 16, r: 1, p: 1),
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
          + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", Scrypt.Cost(n: 1024, r: 8, p: 16),
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", Scrypt.Cost(n: 16384, r: 8, p: 1),
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ] {
      let secret = try SecretBytes(Array(password.utf8))
      let key = try Scrypt.derive(from: secret, salt: Array(salt.utf8), cost: cost, count: 64)
      #expect(Hex.encode(key.exposed()) == expected)
    }
  }

  @Test func `a cost that the algorithm does not define is refused`() throws {
    let secret = try SecretBytes.random(count: 8)
    for cost in [
      Scrypt.Cost(n: 0, r: 8, p: 1), Scrypt.Cost(n: 3, r: 8, p: 1),
      Scrypt.Cost(n: 2, r: 0, p: 1),
      Scrypt.Cost(n: 1 << 62, r: 1 << 20, p: 1), Scrypt.Cost(n: 1 << 24, r: 8, p: 1),
    ] {
      #expect(throws: CryptoError.derivationFailed) {
        _ = try Scrypt.derive(from: secret, salt: [1], cost: cost, count: 32)
      }
    }
    #expect(throws: CryptoError.invalidLength) {
      _ = try Scrypt.derive(
        from: secret, salt: [], cost: .init(n: 2, r: 8, p: 1), count: 0)
    }
  }
}

struct AESCounterModeTests {
  // NIST SP 800-38A, F.5.1 and F.5.5.
  @Test func `the vectors of SP 800-38A`() throws {
    let counter = try #require(Hex.decode("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
    let plaintext = try #require(
      Hex.decode(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"))
    for (key, expected) in [
      (
        "2b7e151628aed2a6abf7158809cf4f3c",
        "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
          + "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"
      ),
      (
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
          + "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"
      ),
    ] {
      let secret = try SecretBytes(try #require(Hex.decode(key)))
      let sealed = try AESCipher.applyCTR(plaintext.span, key: secret, vector: counter)
      #expect(Hex.encode(sealed.exposed()) == expected)
      let ciphertext = sealed.exposed()
      let opened = try AESCipher.applyCTR(ciphertext.span, key: secret, vector: counter)
      #expect(opened.exposed() == plaintext)
      // A partial block is the start of a block.
      let part = try AESCipher.applyCTR(
        plaintext.span.extracting(0..<31), key: secret, vector: counter)
      #expect(part.exposed() == Array(ciphertext.prefix(31)))
    }
  }

  @Test func `other lengths of key or counter are refused`() throws {
    let text: [UInt8] = [1]
    let key = try SecretBytes.random(count: 24)
    #expect(throws: CryptoError.invalidKey) {
      _ = try AESCipher.applyCTR(text.span, key: key, vector: [UInt8](repeating: 0, count: 16))
    }
    let good = try SecretBytes.random(count: 16)
    #expect(throws: CryptoError.invalidLength) {
      _ = try AESCipher.applyCTR(text.span, key: good, vector: [UInt8](repeating: 0, count: 12))
    }
  }
}
