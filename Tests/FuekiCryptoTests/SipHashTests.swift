import FuekiCrypto
import Testing

/// SipHash-2-4 with 128 bits, compared with the reference's table of vectors.
@Suite struct SipHashTests {
  private static let key = [UInt8](0..<16)

  /// For the inputs 00, 00 01, and so on, in the reference's order (`vectors_sip128`).
  @Test(
    arguments: [
      (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
      (2, "8177228da4a45dc7fca38bdef60affe4"), (3, "9c70b60c5267a94e5f33b6b02985ed51"),
    ])
  func `the reference's vectors`(length: Int, output: String) throws {
    let hash = try #require(SipHash(key: Self.key))
    let input = [UInt8](0..<UInt8(length))
    let words = hash.hash(input.span)
    var bytes: [UInt8] = []
    for word in [words.first, words.second] {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (shift * 8))) }
    }
    #expect(Hex.encode(bytes) == output)
  }

  @Test func `a key of another length is none`() {
    #expect(SipHash(key: []) == nil)
    #expect(SipHash(key: [UInt8](repeating: 0, count: 17)) == nil)
  }
}
