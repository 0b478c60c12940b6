import FuekiCrypto
import TestSupport
import Testing

@Suite struct Bech32Tests {
  @Test(arguments: [
    "A12UEL5L", "a12uel5l",
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
    "11qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqc8247j",
    "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w", "?1ezyfcl",
  ])
  func `the valid texts of BIP-173`(text: String) throws {
    let decoded = try Bech32(text)
    #expect(decoded.checksum == .bech32)
    #expect(decoded.text == text.lowercased())
  }

  @Test(arguments: [
    "A1LQFN3A", "a1lqfn3a",
    "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
    "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
    "11llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllludsr8",
    "split1checkupstagehandshakeupstreamerranterredcaperredlc445v", "?1v759aa",
  ])
  func `the valid texts of BIP-350`(text: String) throws {
    let decoded = try Bech32(text)
    #expect(decoded.checksum == .bech32m)
    #expect(decoded.text == text.lowercased())
  }

  @Test(
    arguments: [
      (" 1nwldj5", .invalidCharacter), ("\u{7f}1axkwrx", .invalidCharacter),
      ("\u{80}1eym55h", .invalidCharacter),
      (
        "an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx",
        .wrongLength
      ),
      ("pzry9x0s0muk", .noSeparator), ("1pzry9x0s0muk", .wrongLength), ("x1b4n0q5v", .invalidCharacter),
      ("li1dgmt3", .wrongLength), ("de1lg7wt\u{ff}", .invalidCharacter), ("A1G7SGD8", .wrongChecksum),
      ("10a06t8", .wrongLength), ("1qzzfhee", .wrongLength), (" 1xj0phk", .invalidCharacter),
      ("\u{7f}1g6xzxy", .invalidCharacter), ("qyrz8wqd2c9m", .noSeparator), ("1qyrz8wqd2c9m", .wrongLength),
      ("y1b0jsk6g", .invalidCharacter), ("lt1igcx5c0", .invalidCharacter), ("in1muywd", .wrongLength),
      ("mm1crxm3i", .invalidCharacter), ("au1s5cgom", .invalidCharacter), ("M1VUXWEZ", .wrongChecksum),
      ("16plkw9", .wrongLength), ("1p2gdwpf", .wrongLength), ("a12ueL5l", .mixedCase), ("", .noSeparator),
    ] as [(String, Bech32Error)])
  func `the invalid texts of both`(text: String, problem: Bech32Error) {
    #expect(throws: problem) { try Bech32(text) }
  }

  @Test func `up to four wrong characters are always found`() {
    var random = RandomSource(seed: 80)
    let right = Array("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4".utf8)
    let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    for _ in 0..<5000 {
      var wrong = right
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        wrong[Int.random(in: 3..<right.count, using: &random)] =
          alphabet[Int.random(in: 0..<32, using: &random)]
      }
      guard wrong != right else { continue }
      #expect(throws: Bech32Error.wrongChecksum) { try Bech32(String(decoding: wrong, as: UTF8.self)) }
    }
  }
}
