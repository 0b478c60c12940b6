import FuekiCrypto
import TestSupport
import Testing

struct Ed25519PublicKeyTests {
  @Test func `a key has 32 bytes, which it gives back in their order`() throws {
    let bytes = [UInt8](0xF0...0xFF) + [UInt8](0...15)
    let key = try #require(Ed25519.PublicKey(bytes: bytes))
    #expect(key.bytes == bytes)
    #expect(key.hex == "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f")
    #expect("\(key)" == key.hex)
    #expect(Ed25519.PublicKey(hex: key.hex) == key && Ed25519.PublicKey(hex: key.hex.uppercased()) == key)
  }

  @Test(arguments: [0, 1, 31, 33, 64])
  func `any other number of bytes makes none`(count: Int) {
    #expect(Ed25519.PublicKey(bytes: [UInt8](repeating: 7, count: count)) == nil)
    #expect(Ed25519.PublicKey(hex: String(repeating: "07", count: count)) == nil)
  }

  @Test(arguments: ["0g", "0 ", "07 "])
  func `digits that are none make none`(pair: String) {
    #expect(Ed25519.PublicKey(hex: String(repeating: pair, count: 32)) == nil)
  }

  @Test func `keys are ordered and told apart by each of their bytes`() throws {
    let keys = try (0..<32).map { place in
      var bytes = [UInt8](repeating: 0, count: 32)
      bytes[place] = 0x80
      return try #require(Ed25519.PublicKey(bytes: bytes))
    }
    var generator = TestSeed.random()
    #expect(keys.shuffled(using: &generator).sorted() == keys.reversed())
    #expect(Set(keys + keys).count == 32)
    #expect(keys.map(\.hex).sorted() == keys.sorted().map(\.hex))
  }
}
