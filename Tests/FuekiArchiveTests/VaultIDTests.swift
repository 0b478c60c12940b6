import FuekiArchive
import TestSupport
import Testing

@Suite struct VaultIDTests {
  @Test func `an id has 16 bytes, which it gives back in their order`() throws {
    let bytes = [UInt8](0xF8...0xFF) + [UInt8](0...7)
    let id = try #require(VaultID(bytes: bytes))
    #expect(id.bytes == bytes)
    #expect(id.hex == "f8f9fafbfcfdfeff0001020304050607" && "\(id)" == id.hex)
    #expect(VaultID(hex: id.hex) == id && VaultID(hex: id.hex.uppercased()) == id)
  }

  @Test(arguments: [0, 1, 15, 17, 32])
  func `any other number of bytes makes none`(count: Int) {
    #expect(VaultID(bytes: [UInt8](repeating: 7, count: count)) == nil)
    #expect(VaultID(hex: String(repeating: "07", count: count)) == nil)
  }

  @Test func `digits that are none make none`() {
    #expect(VaultID(hex: String(repeating: "0g", count: 16)) == nil)
  }

  @Test func `ids are ordered as their bytes are`() throws {
    let ids = try (0..<16).map { place in
      var bytes = [UInt8](repeating: 0, count: 16)
      bytes[place] = 0x80
      return try #require(VaultID(bytes: bytes))
    }
    var generator = TestSeed.random()
    #expect(ids.shuffled(using: &generator).sorted() == ids.reversed())
  }

  @Test func `an id is not drawn twice`() {
    #expect(Set((0..<100).map { _ in VaultID.random() }).count == 100)
  }
}
