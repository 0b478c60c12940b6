import FuekiCrypto
import Testing

private func digits(_ secret: borrowing SecretBytes) -> String {
  secret.withBytes { bytes in Hex.encode(bytes.indices.map { bytes[$0] }) }
}

/// Known answers of the standards: NIST SP 800-38A, the GCM specification's test cases 13 and 14, FIPS 180-4.
@Suite struct `What other wallets encrypt with` {
  private static let key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"

  private let none: [UInt8] = []
  private let one: [UInt8] = [1]

  @Test func `counter mode`() throws {
    let text = try #require(Hex.decode("601ec313775789a5b7a7f504bbf3d228"))
    let key = try secret(Self.key)
    let plain = try AESCipher.applyCTR(
      text.span, key: key, vector: try #require(Hex.decode("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")))
    #expect(digits(plain) == "6bc1bee22e409f96e93d7e117393172a")
    let nothing = try AESCipher.applyCTR(none.span, key: key, vector: [UInt8](repeating: 0, count: 16))
    #expect(nothing.count == 0)
  }

  @Test func `single blocks`() throws {
    let text = try #require(
      Hex.decode("f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"))
    let key = try secret(Self.key)
    let plain = try AESCipher.decryptBlocks(text.span, key: key)
    #expect(digits(plain) == "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    #expect(throws: CryptoError.invalidLength) {
      try AESCipher.decryptBlocks(Array(text.dropLast()).span, key: key).count
    }
    #expect(throws: CryptoError.invalidKey) {
      try AESCipher.decryptBlocks(text.span, key: try secret("00")).count
    }
  }

  @Test func `block chaining, with padding that must be right`() throws {
    let key = try secret("06a9214036b8a15b512e03d534120006")
    let vector = try #require(Hex.decode("3dafba429d9eb430b422da802c9fac41"))
    // "Single block msg" is one whole block, so the second block is only padding.
    let whole = try #require(Hex.decode("e353779c1079aeb82708942dbe77181ab97c825e1c785146542d396941bce55d"))
    let plain = try AESCipher.decryptCBC(whole.span, key: key, vector: vector)
    #expect(digits(plain) == Hex.encode(Array("Single block msg".utf8)))
    #expect(throws: CryptoError.notAuthentic) {
      try AESCipher.decryptCBC(Array(whole.prefix(16)).span, key: key, vector: vector).count
    }
    #expect(throws: CryptoError.notAuthentic) {
      try AESCipher.decryptCBC(Array(whole.prefix(15)).span, key: key, vector: vector).count
    }
    #expect(throws: CryptoError.invalidLength) {
      try AESCipher.decryptCBC(whole.span, key: key, vector: []).count
    }
  }

  @Test func `Galois counter mode, whose tag must hold`() throws {
    let key = try secret(String(repeating: "00", count: 32))
    let nonce = [UInt8](repeating: 0, count: 12)
    // Test case 14: one block of zeros.
    var sealed = try #require(
      Hex.decode("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
    let plain = try AESCipher.openGCM(sealed.span, key: key, nonce: nonce)
    #expect(digits(plain) == String(repeating: "00", count: 16))
    // Test case 13: only the tag.
    let empty = try #require(Hex.decode("530f8afbc74536b9a963b4f1c4cb738b"))
    let nothing = try AESCipher.openGCM(empty.span, key: key, nonce: nonce)
    #expect(nothing.count == 0)
    for place in sealed.indices {
      sealed[place] ^= 1
      #expect(throws: CryptoError.notAuthentic) {
        try AESCipher.openGCM(sealed.span, key: key, nonce: nonce).count
      }
      sealed[place] ^= 1
    }
    #expect(throws: CryptoError.notAuthentic) {
      try AESCipher.openGCM(one.span, key: key, nonce: nonce).count
    }
  }

  @Test func `SHA-512`() throws {
    let abc = Array("abc".utf8)
    let digest = try SHA512.secretHash(abc.span)
    #expect(digits(digest).hasPrefix("ddaf35a193617abacc417349ae204131") && digest.count == 64)
    let empty = try SHA512.secretHash(none.span)
    #expect(digits(empty).hasPrefix("cf83e1357eefb8bdf1542850d66d8007"))
  }

  @Test func `a key is reduced modulo the order, and zero is none`() throws {
    let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
    let one = try ECIES.key(reducing: try secret(String(order.dropLast()) + "2"))
    #expect(digits(one) == String(repeating: "0", count: 63) + "1")
    let zero = try secret(order)
    #expect(throws: CryptoError.invalidKey) { try ECIES.key(reducing: zero).count }
  }

  @Test func `a message that is none is refused`() throws {
    let key = try secret(String(repeating: "01", count: 32))
    for count in [0, 3, 84, 85, 200] {
      var message = [UInt8](repeating: 2, count: count)
      message.replaceSubrange(0..<min(count, 4), with: ECIES.magic.prefix(count))
      #expect(throws: CryptoError.self) { try ECIES.open(message.span, key: key).count }
    }
  }
}
