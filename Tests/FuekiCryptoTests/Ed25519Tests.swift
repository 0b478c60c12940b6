import FuekiCrypto
import TestSupport
import Testing

struct Ed25519Tests {
  struct Vector: Decodable, Sendable {
    let msg, sig, result: String
    let tcId: Int
  }
  struct Group: Decodable {
    struct Key: Decodable { let pk: String }
    let publicKey: Key
    let tests: [Vector]
  }

  // RFC 8032 section 7.1, tests 1 to 3 and SHA(abc).
  @Test(arguments: [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      """
      e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
      5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
      """
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      """
      92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
      085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
      """
    ),
    (
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      """
      6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
      18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
      """
    ),
    (
      "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      """
      ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
      2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
      """,
      """
      dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589
      09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704
      """
    ),
  ])
  func `the RFC's vectors`(seed: String, key: String, message: String, signature: String) throws {
    let seed = try secret(seed)
    let publicKey = try #require(Ed25519.PublicKey(hex: key))
    #expect(try Ed25519.publicKey(seed: seed).hex == key)
    #expect(try Ed25519.sign(bytes(message), seed: seed) == bytes(signature))
    #expect(try Ed25519.isValid(signature: bytes(signature), over: bytes(message), publicKey: publicKey))
    #expect(
      try !Ed25519.isValid(signature: bytes(signature), over: bytes(message) + [0], publicKey: publicKey))
  }

  @Test func `a key of small order proves nothing`() throws {
    // With the neutral point as R and zero as S, these verify for any message unless the order is checked.
    let neutral = [1] + [UInt8](repeating: 0, count: 31)
    let ofOrderFour = [UInt8](repeating: 0, count: 32)
    let signature = neutral + [UInt8](repeating: 0, count: 32)
    for key in try [neutral, ofOrderFour].map({ try #require(Ed25519.PublicKey(bytes: $0)) }) {
      for message in 0..<8 {
        #expect(!Ed25519.isValid(signature: signature, over: [UInt8(message)], publicKey: key))
      }
    }
  }

  @Test func `other lengths are not valid, and no other seed signs`() throws {
    let seed = try SecretBytes.random(count: 32)
    let key = try Ed25519.publicKey(seed: seed)
    let signature = try Ed25519.sign([1], seed: seed)
    #expect(Ed25519.isValid(signature: signature, over: [1], publicKey: key))
    #expect(!Ed25519.isValid(signature: Array(signature.dropLast()), over: [1], publicKey: key))
    #expect(!Ed25519.isValid(signature: [], over: [], publicKey: key))
    let short = try SecretBytes.random(count: 31)
    #expect(throws: CryptoError.invalidKey) { try Ed25519.sign([], seed: short) }
    #expect(throws: CryptoError.invalidKey) { try Ed25519.publicKey(seed: short) }
  }

  @Test func `Wycheproof's vectors`() throws {
    var count = 0
    for group in try Wycheproof<Group>.read("ed25519") {
      let key = try #require(Ed25519.PublicKey(hex: group.publicKey.pk))
      for vector in group.tests {
        let isValid = try Ed25519.isValid(
          signature: bytes(vector.sig), over: bytes(vector.msg), publicKey: key)
        #expect(isValid == (vector.result == "valid"), "case \(vector.tcId)")
        count += 1
      }
    }
    #expect(count > 15)
  }
}
