import FuekiCrypto
import Testing

struct DigestTests {
  @Test func `bytes and hexadecimal go in and come out`() throws {
    let source = (0..<32).map { UInt8($0 * 8) }
    let digest = try #require(Digest(bytes: source))
    #expect(digest.bytes == source)
    #expect(digest.hex == Hex.encode(source))
    #expect(digest.description == digest.hex)
    #expect(Digest(hex: digest.hex) == digest)
    var appended: [UInt8] = [1]
    digest.append(to: &appended)
    #expect(appended == [1] + source)
  }

  @Test(arguments: [0, 31, 33]) func `other lengths are no digest`(count: Int) {
    #expect(Digest(bytes: [UInt8](repeating: 1, count: count)) == nil)
    #expect(Digest(hex: String(repeating: "01", count: count)) == nil)
  }

  @Test func `digests are ordered as their bytes are`() throws {
    let digests = (0..<64).map { SHA256.hash([UInt8($0)]) }
    let sorted = digests.sorted()
    #expect(sorted.map(\.hex) == digests.map(\.hex).sorted())
    #expect(Digest.zero.bytes == [UInt8](repeating: 0, count: 32))
    #expect(digests.allSatisfy { Digest.zero < $0 })
  }

  @Test func `hexadecimal is read in either case and in no other form`() {
    #expect(Hex.decode("00fFA9") == [0, 0xFF, 0xA9])
    #expect(Hex.decode("") == [])
    for wrong in ["0", "0g", "0x00", " 00", "00 ", "00:11", "０0"] { #expect(Hex.decode(wrong) == nil) }
    #expect(Hex.encode([0, 0xFF, 0xA9]) == "00ffa9")
  }

  @Test func `random bytes differ from draw to draw`() {
    #expect(RandomBytes.bytes(0) == [])
    #expect(RandomBytes.bytes(24).count == 24)
    #expect(RandomBytes.bytes(24) != RandomBytes.bytes(24))
  }
}
