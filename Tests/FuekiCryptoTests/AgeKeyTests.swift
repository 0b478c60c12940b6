import FuekiCrypto
import TestSupport
import Testing

struct AgeKeyTests {
  // From the age specification's own examples and from `age-keygen`.
  private static let recipient = "age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl"
  private static let identity = "AGE-SECRET-KEY-1X37RM5Y2GEEVNW35X8QD3HKDKDNS4XDKV3PKFC34GJN0XS3VFR3SEATSFY"

  private static func identities(_ text: String) throws -> [SharedSecret] {
    let file = try SecretBytes(Array(text.utf8))
    return try AgeKey.identities(in: file).keys.map(\.key)
  }

  private static func text(_ key: SharedSecret) throws -> String {
    let text = try AgeKey.identityText(key.bytes, .x25519)
    return String(decoding: text.bytes.exposed(), as: UTF8.self)
  }

  @Test func `a pair that age-keygen made is read and written`() throws {
    let keys = try Self.identities("# created: today\r\n\r\n\(Self.identity)\r\n")
    let key = try #require(keys.first)
    #expect(keys.count == 1)
    let publicKey = try X25519.publicKey(of: key.bytes)
    #expect(AgeKey.text(recipient: publicKey, .x25519) == Self.recipient)
    #expect(try AgeKey.recipient(Self.recipient).key == publicKey)
    #expect(try AgeKey.recipient(Self.recipient.uppercased()).key == publicKey)
    #expect(try Self.text(key) == Self.identity)
  }

  @Test func `several identities keep their order, and a last line needs no end`() throws {
    let other = try AgeKey.identityText(SecretBytes.random(count: 32), .x25519)
    let text = String(decoding: other.bytes.exposed(), as: UTF8.self)
    let keys = try Self.identities("\(text)\n#\n\(Self.identity)")
    #expect(try keys.map(Self.text) == [text, Self.identity])
  }

  @Test func `any key comes back`() throws {
    for _ in 0..<200 {
      let key = RandomBytes.bytes(32)
      #expect(try AgeKey.recipient(AgeKey.text(recipient: key, .x25519)).key == key)
      let written = try AgeKey.identityText(SecretBytes(key), .x25519)
      #expect(try AgeKey.identities(in: written.bytes).keys.map { $0.key.bytes.exposed() } == [key])
    }
  }

  @Test(
    arguments: [
      ("", .otherKind), ("age", .otherKind), ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA", .otherKind),
      ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .otherKind),
      ("age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzq", .encoding(.wrongChecksum)),
      ("age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gz", .encoding(.wrongChecksum)),
      ("age1Rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl", .encoding(.mixedCase)),
      ("age1 rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl", .encoding(.invalidCharacter)),
      ("age1", .encoding(.wrongLength)),
    ] as [(String, AgeKeyError.Problem)])
  func `what is no recipient is named`(text: String, problem: AgeKeyError.Problem) {
    #expect(throws: AgeKeyError.recipient(problem)) { try AgeKey.recipient(text) }
  }

  @Test func `another length, the other checksum, and bits left over are refused`() throws {
    func text(_ values: [UInt8], _ checksum: Bech32.Checksum) throws -> String {
      try #require(Bech32(readablePart: "age", values: values, checksum: checksum)).text
    }
    let zeros = [UInt8](repeating: 0, count: 52)
    #expect(try AgeKey.recipient(text(zeros, .bech32)).key == [UInt8](repeating: 0, count: 32))
    for (values, checksum, problem) in [
      (Array(zeros.dropLast()), .bech32, .notOneKey), (zeros + [0], .bech32, .notOneKey),
      (zeros.dropLast() + [1], .bech32, .notOneKey), (zeros.dropLast() + [8], .bech32, .notOneKey),
      (zeros, .bech32m, .encoding(.wrongChecksum)),
    ] as [([UInt8], Bech32.Checksum, AgeKeyError.Problem)] {
      let text = try text(values, checksum)
      #expect(throws: AgeKeyError.recipient(problem)) { try AgeKey.recipient(text) }
    }
    #expect(try AgeKey.recipient(text(zeros.dropLast() + [16], .bech32)).key.last == 1)
  }

  // From C2SP's test kit for age 1.3.
  private static let hybrid = "AGE-SECRET-KEY-PQ-1HZLGZUPT4ETPKDEV8HSGFDCYZ4E522W0A7PU2LHT8EH9W6YLNC3SW78XKG"

  @Test func `a hybrid pair is read and written`() throws {
    let file = try SecretBytes(Array("\(Self.identity)\n\(Self.hybrid)\n".utf8))
    let found = try AgeKey.identities(in: file).keys
    #expect(found.map(\.form) == [.x25519, .hybrid])
    let seed = try #require(found.last).key
    let text = try AgeKey.identityText(seed.bytes, .hybrid)
    #expect(String(decoding: text.bytes.exposed(), as: UTF8.self) == Self.hybrid)
    let key = try AgeKeyForm.hybrid.publicKey(of: seed.bytes)
    let recipient = AgeKey.text(recipient: key, .hybrid)
    #expect(recipient.hasPrefix("age1pq1") && recipient.count == 1959 && recipient == recipient.lowercased())
    #expect(try AgeKey.recipient(recipient) == AgeKey.recipient(AgeKey.text(recipient: key, .hybrid)))
    #expect(try AgeKey.recipient(recipient).key == key)
    #expect(throws: AgeKeyError.recipient(.otherKind)) { try AgeKey.recipient(recipient.uppercased()) }
    #expect(throws: AgeKeyError.recipient(.encoding(.wrongChecksum))) {
      try AgeKey.recipient(String(recipient.dropLast()) + (recipient.hasSuffix("q") ? "p" : "q"))
    }
    for text in [recipient + "q", String(recipient.dropLast(7)), "age1pq1"] {
      #expect(throws: AgeKeyError.self) { try AgeKey.recipient(text) }
    }
  }

  @Test func `plugins' recipients and identities name their program`() throws {
    let text = "age1fuekitest1pkc2q5ukna4jr2jnf03xuysmqyqqqnymsu"
    let recipient = try #require(try AgePluginRecipient(text))
    #expect(recipient.name == "fuekitest" && recipient.text == text)
    let line = "AGE-PLUGIN-FUEKITEST-1PKC2Q5UKNA4JR2JNF03XUYSMQYQQRX82Y2"
    let file = try AgeKey.identities(in: try SecretBytes(Array("\(Self.identity)\n\(line)\r\n".utf8)))
    #expect(file.keys.count == 1 && file.plugins.map(\.name) == ["fuekitest"])
    #expect(file.plugins.first?.text.bytes.exposed() == Array(line.utf8))

    // age's own keys are not plugins' keys, and other text is left to them.
    for text in [
      Self.recipient, "age1pq1\(Self.recipient.dropFirst(4))", "age1", "age", "", text.uppercased(),
    ] {
      #expect(try AgePluginRecipient(text) == nil, "\(text)")
    }
    #expect(throws: AgeKeyError.recipient(.encoding(.wrongChecksum))) {
      try AgePluginRecipient(String(text.dropLast()) + "q")
    }
    for name in ["a/b", "a b", "A", "..%", "é"] {
      #expect(throws: AgeKeyError.self, "\(name)") { try AgePluginRecipient("age1\(name)1qqqqqqqqqq") }
    }
    for line in [
      "AGE-PLUGIN-1QQQQQQQQQQ", "AGE-PLUGIN--1QQQQQQQQQQ", "AGE-PLUGIN-A/B-1QQQQQQQQQQ", line.lowercased(),
    ] {
      #expect(throws: AgeKeyError.identity(line: 1, .otherKind), "\(line)") {
        try AgeKey.identities(in: try SecretBytes(Array(line.utf8)))
      }
    }
  }

  @Test func `a line that cannot be used is an error with its number`() throws {
    for (line, problem) in [
      (Self.identity.lowercased(), .otherKind), ("AGE-PLUGIN-YUBIKEY-1QQQ", .encoding(.wrongLength)),
      ("-----BEGIN OPENSSH PRIVATE KEY-----", .otherKind), (Self.recipient, .otherKind),
      (Self.identity + " ", .encoding(.invalidCharacter)),
      (String(Self.identity.dropLast()) + "Q", .encoding(.wrongChecksum)),
      ("AGE-SECRET-KEY-1", .encoding(.wrongLength)),
    ] as [(String, AgeKeyError.Problem)] {
      #expect(throws: AgeKeyError.identity(line: 3, problem)) {
        try Self.identities("# \n\(Self.identity)\n\(line)\n\(Self.identity)\n")
      }
    }
  }

  @Test func `a file without an identity says so, and an encrypted one too`() {
    for text in ["", "\n\n", "# nothing\n"] {
      #expect(throws: AgeKeyError.noIdentity) { try Self.identities(text) }
    }
    for text in ["age-encryption.org/v1\n-> scrypt", "-----BEGIN AGE ENCRYPTED FILE-----\n"] {
      #expect(throws: AgeKeyError.encryptedFile) { try Self.identities(text) }
    }
  }

  @Test(.enabled(if: InstalledProgram.path("age-keygen") != nil, "no age-keygen on this machine"))
  func `what age-keygen makes is read, and what is written here age-keygen reads`() throws {
    let program = try #require(InstalledProgram.path("age-keygen"))
    let folder = try TemporaryDirectory()
    for round in 0..<8 {
      let made = try BuiltBinary.run(program: program, [])
      let keys = try Self.identities(made.text)
      let key = try #require(keys.first)
      let recipient = AgeKey.text(recipient: try X25519.publicKey(of: key.bytes), .x25519)
      #expect(made.text.contains("# public key: \(recipient)\n"))

      let mine = SharedSecret(try SecretBytes.random(count: 32))
      try folder.write(Array(Self.text(mine).utf8), to: "key\(round)")
      let read = try BuiltBinary.run(program: program, ["-y", folder.path("key\(round)")])
      #expect(read.text == AgeKey.text(recipient: try X25519.publicKey(of: mine.bytes), .x25519) + "\n")
    }
  }

  @Test func `the identity of age's own test kit is read`() throws {
    let identity = "AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0"
    #expect(try Self.identities(identity).map(Self.text) == [identity])
  }

  @Test(.enabled(if: Fixtures.folder("live") != nil, "the fixture live is not here"))
  func `an identity file of age's is read`() throws {
    let text = String(decoding: try Fixtures.file("live/age/key.txt"), as: UTF8.self)
    #expect(try Self.identities(text).map(Self.text) == [Self.identity])
  }
}
