import FuekiCrypto
import Testing

struct PassphraseTests {
  private static func normalised(_ bytes: [UInt8]) throws -> [UInt8] {
    let typed = try SecretBytes(bytes)
    return try Passphrase(normalising: typed).bytes.exposed()
  }

  private static func normalised(_ text: String) throws -> [UInt8] { try normalised(Array(text.utf8)) }

  @Test func `ASCII stays as it is`() throws {
    let text = " correct horse\tbattery staple~ "
    #expect(try Self.normalised(text) == Array(text.utf8))
  }

  // Unicode Standard Annex 15, figures 2 to 6.
  @Test(arguments: [
    ("\u{FB01}", "fi"), ("\u{212B}ngstrom", "\u{C5}ngstrom"), ("A\u{30A}ngstrom", "\u{C5}ngstrom"),
    ("2\u{2075}", "25"), ("\u{1E9B}\u{323}", "\u{1E69}"), ("\u{2126}", "\u{3A9}"), ("\u{FF21}\u{3000}", "A "),
    ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{30D5}\u{3099}", "\u{30D6}"), ("\u{1F4A1}", "\u{1F4A1}"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}"),
  ])
  func `other text takes form KC`(typed: String, expected: String) throws {
    #expect(try Self.normalised(typed) == Array(expected.utf8))
    #expect(try Self.normalised(expected) == Array(expected.utf8))
  }

  @Test func `what no archive can be sealed with is refused`() throws {
    #expect(throws: CryptoError.invalidPassphrase(.empty)) { try Self.normalised("") }
    #expect(throws: CryptoError.invalidPassphrase(.containsNUL)) { try Self.normalised([0x61, 0, 0x62]) }
    #expect(throws: CryptoError.invalidPassphrase(.containsNUL)) { try Self.normalised("\u{FB01}\0") }
    for wrong: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x61, 0xE9]] {
      #expect(throws: CryptoError.invalidPassphrase(.notText)) { try Self.normalised(wrong) }
    }
  }

  @Test func `the limit counts normalised bytes`() throws {
    #expect(try Self.normalised(String(repeating: "a", count: 1024)).count == 1024)
    #expect(throws: CryptoError.invalidPassphrase(.tooLong)) {
      try Self.normalised(String(repeating: "a", count: 1025))
    }
    #expect(try Self.normalised(String(repeating: "\u{FF21}", count: 1024)).count == 1024)
    #expect(throws: CryptoError.invalidPassphrase(.tooLong)) {
      try Self.normalised(String(repeating: "\u{FF21}", count: 1025))
    }
    #expect(throws: CryptoError.invalidPassphrase(.tooLong)) {
      try Self.normalised(String(repeating: "a", count: 1_000_000))
    }
  }

  @Test func `generated passphrases are strong, readable and never the same`() throws {
    let allowed = Set("0123456789abcdefghjkmnpqrstvwxyz-".utf8)
    var seen: Set<[UInt8]> = []
    for _ in 0..<50 {
      let passphrase = try Passphrase.generated()
      let bytes = passphrase.bytes.exposed()
      #expect(bytes.count == 24 && allowed.isSuperset(of: bytes))
      #expect(bytes.split(separator: UInt8(ascii: "-")).map(\.count) == [4, 4, 4, 4, 4])
      // 20 symbols of 32 are 100 bits. The estimate is lower if they happen to spell a word.
      let strength = try passphrase.strength()
      #expect(strength.guesses > 0x1p72)
      seen.insert(bytes)
    }
    #expect(seen.count == 50)
  }

  private static func generatedForm(_ text: String) throws -> String? {
    guard let form = try Passphrase.generatedForm(of: try SecretBytes(Array(text.utf8))) else { return nil }
    return String(decoding: form.exposed(), as: UTF8.self)
  }

  @Test(arguments: [
    "7K2M-9PQR-4T6V-XYZ0-ABCD", "7k2m 9pqr 4t6v xyz0 abcd", " 7K2M  9PQR\t4T6V - XYZ0 ABCD ",
    "7k2m\u{2010}9pqr\u{2011}4t6v\u{2013}xyz0\u{2014}abcd", "7k2m-9pqr-4t6v-xyz0-ABCD",
  ])
  func `a generated passphrase has one form however it is typed`(_ typed: String) throws {
    #expect(try Self.generatedForm(typed) == "7k2m-9pqr-4t6v-xyz0-abcd")
  }

  @Test(arguments: [
    "", "7k2m-9pqr-4t6v-xyz0-abcd", "7k2m9pqr4t6vxyz0abcd", "7k2m-9pqr-4t6v-xyz0",
    "7k2m-9pqr-4t6v-xyz0-abcde",
    "7k2m-9pqr-4t6v-xyz0-abc", "7k2m-9pqr-4t6v-xyz0-abcd-e", "7k2m-9pqr-4t6v-xyz0-abci",
    "7k2-m9pqr-4t6v-xyz0-abcd",
    "7k2m_9pqr_4t6v_xyz0_abcd", "correct horse battery staple", "7k2m-9pqr-4t6v-xyz0-ab\u{E9}d",
  ])
  func `another text has no generated form`(_ typed: String) throws {
    #expect(try Self.generatedForm(typed) == nil)
  }

  @Test func `what is generated is in its form already`() throws {
    let made = try Passphrase.generated()
    #expect(try Passphrase.generatedForm(of: made.bytes) == nil)
    let capitals = String(decoding: made.bytes.exposed(), as: UTF8.self).uppercased()
    #expect(
      try Self.generatedForm(capitals)?.uppercased() == capitals || capitals.allSatisfy { !$0.isLetter })
  }
}
