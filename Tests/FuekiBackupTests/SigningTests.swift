import FuekiArchive
import FuekiBackup
import FuekiCrypto
import TestSupport
import Testing

/// Signers, their keys' files, and checkpoints.
struct SigningTests {
  private static let cost = Argon2id.Cost(memoryKiB: 65_536, passes: 2)
  private static let hex = String(repeating: "ab", count: 32)

  private func secret(_ text: String) throws -> SharedSecret {
    let bytes = [UInt8](text.utf8)
    return SharedSecret(try SecretBytes(copying: bytes.span))
  }

  private func seed(_ byte: UInt8) throws -> SharedSecret {
    let bytes = [UInt8](repeating: byte, count: 32)
    return SharedSecret(try SecretBytes(copying: bytes.span))
  }

  private func text(_ secret: SharedSecret) -> String {
    let bytes = secret.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func parse(_ text: String) throws -> SigningKeyFile {
    let bytes = [UInt8](text.utf8)
    let secret = try SecretBytes(copying: bytes.span)
    return try SigningKeyFile(secret)
  }

  @Test func `a signer is a key in hex, or a line with a comment`() throws {
    let bare = try #require(Signer(Self.hex))
    #expect(bare.line == "fueki-signer \(Self.hex)" && bare.comment == "")
    let named = try #require(Signer("fueki-signer \(Self.hex) of the machine at home"))
    #expect(named.comment == "of the machine at home" && Signer(named.line) == named)
    #expect(Signer(publicKey: bare.publicKey, comment: " two\nlines\u{7} ").comment == "two lines")
    for wrong in [
      "", "fueki-signer", String(Self.hex.dropLast(2)), Self.hex + "00", "\(Self.hex) x", "x \(Self.hex)",
    ] {
      #expect(Signer(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `a list may have comments, empty lines and other line ends`() throws {
    let list = "# ours\r\n\r\n  \(Self.hex)\r\nfueki-signer \(Self.hex) again"
    #expect(try SignerList.signers(in: list).map(\.comment) == ["", "again"])
    #expect(throws: SignerList.Problem.empty) { try SignerList.signers(in: "\n# nobody\n") }
    #expect(throws: SignerList.Problem.noSigner(line: 2)) { try SignerList.signers(in: "\(Self.hex)\nab\n") }
  }

  @Test func `a sealed key opens with its passphrase alone`() throws {
    let passphrase = try secret("correct horse battery staple")
    let (file, signer) = try SigningKeyFile.make(
      seed: try seed(3), comment: "test", passphrase: passphrase, cost: Self.cost)
    let read = try SigningKeyFile(file.bytes)
    #expect(read.signer == signer && read.isSealed)
    #expect(try read.key(passphrase: passphrase).publicKey == signer.publicKey)
    let other = try secret("another")
    #expect(throws: SigningKeyError.wrongPassphrase) { try read.key(passphrase: other) }
    #expect(throws: SigningKeyError.needsPassphrase) { try read.key(passphrase: nil) }
    // Everything above the seed is bound to it.
    let changed = try parse(text(file).replacing(" test\n", with: " tess\n"))
    #expect(throws: SigningKeyError.wrongPassphrase) { try changed.key(passphrase: passphrase) }
  }

  @Test func `a bare key has to be its public line's`() throws {
    let (file, signer) = try SigningKeyFile.make(
      seed: try seed(3), comment: "", passphrase: nil, cost: Self.cost)
    let read = try SigningKeyFile(file.bytes)
    #expect(!read.isSealed)
    #expect(try read.key(passphrase: nil).publicKey == signer.publicKey)
    let swapped = try parse(text(file).replacing("seed 0303", with: "seed 0404"))
    #expect(throws: SigningKeyError.anotherKey) { try swapped.key(passphrase: nil) }
  }

  @Test func `a key's file has one spelling`() throws {
    let (file, _) = try SigningKeyFile.make(
      seed: try seed(3), comment: "c", passphrase: try secret("long enough, is it"), cost: Self.cost)
    let good = text(file)
    let wrong = [
      "", "\n\n\n\n", String(good.dropLast()), good + "\n", good.replacing("\n", with: "\r\n"),
      good.replacing("seed ", with: "seed  "), good.replacing("seed ", with: "sead "),
      good.replacing(" c\n", with: "  c\n"), good.replacing("kdf argon2id", with: "kdf scrypt"),
      String(good.dropLast(3)) + "\n", good.replacing("kdf ", with: "kdf none\nkdf "),
    ]
    for text in wrong {
      #expect(throws: SigningKeyError.malformed, "\(text)") { try parse(text) }
    }
    #expect(throws: SigningKeyError.overLimit) { try parse(good.replacing(" 65536 2", with: " 65535 2")) }
    #expect(throws: SigningKeyError.overLimit) { try parse(good.replacing(" 65536 2", with: " 65536 17")) }
    let newer = SigningKeyError.newer("fueki-signing-key-2")
    #expect(throws: newer) { try parse(good.replacing("key-1", with: "key-2")) }
  }

  private func facts(
    _ sequence: UInt64, vault: UInt64 = 7, previous: Digest = .zero
  ) -> HeaderFacts {
    let word = vault * 0x0101_0101_0101_0101
    return HeaderFacts(
      archiveID: RandomBytes.bytes(32), vaultID: VaultID(words: (word, word)), sequence: sequence,
      previous: previous, created: 1_763_700_000, signer: nil)
  }

  private func digest(_ byte: UInt8) throws -> Digest {
    try #require(Digest(bytes: [UInt8](repeating: byte, count: 32)))
  }

  @Test func `a checkpoint is its signer's word`() throws {
    let key = try SigningKey(seed: try seed(9))
    let checkpoint = try SignedCheckpoint(facts(5), digest: try digest(1), signedWith: key)
    let read = try SignedCheckpoint(checkpoint.line + "\n")
    #expect(read == checkpoint)
    #expect(try SignedCheckpoint(checkpoint.line.uppercased()) == checkpoint)
    #expect(try read.link(trusting: [key.publicKey]) == VaultState.Link(sequence: 5, digest: try digest(1)))
    #expect(throws: SignedCheckpoint.Problem.untrusted) { try read.link(trusting: []) }
    for (old, new) in [
      (" 5 ", " 6 "), (" 0101", " 0201"), (" 1763700000 ", " 1763700001 "), (" 0707", " 0807"),
    ] {
      let forged = try SignedCheckpoint(checkpoint.line.replacing(old, with: new, maxReplacements: 1))
      #expect(throws: SignedCheckpoint.Problem.notAuthentic, "\(new)") {
        try forged.link(trusting: [key.publicKey])
      }
    }
    let mixed = checkpoint.line.replacing("fueki", with: "Fueki")
    for wrong in ["", mixed, checkpoint.line.replacing(" 5 ", with: " 05 "), " " + checkpoint.line] {
      #expect(throws: SignedCheckpoint.Problem.malformed, "\(wrong)") { try SignedCheckpoint(wrong) }
    }
  }

  @Test func `archives are compared with one another and with what is known`() throws {
    let (a, b, c, x) = (try digest(1), try digest(2), try digest(3), try digest(9))
    let chain = [
      (facts(1), digest: a), (facts(2, previous: a), digest: b), (facts(3, previous: b), digest: c),
    ]
    func notes(
      _ archives: [(HeaderFacts, digest: Digest)], known: (UInt64, Digest)? = nil
    ) -> [LineageNote] {
      VaultLineage.notes(of: archives) { vault in
        vault == facts(1).vaultID ? known.map { VaultState.Link(sequence: $0, digest: $1) } : nil
      }
    }
    #expect(notes(chain) == [.inPlace, .inPlace, .inPlace])
    #expect(notes(chain + [chain[1]]) == [.inPlace, .inPlace, .inPlace, .inPlace])
    #expect(notes(chain, known: (3, c)) == [.inPlace, .inPlace, .inPlace])
    #expect(notes(chain, known: (2, b)) == [.inPlace, .inPlace, .newer])
    #expect(notes(chain, known: (4, x)) == [.inPlace, .inPlace, .older])
    #expect(notes(chain, known: (3, x)) == [.inPlace, .inPlace, .forked])
    #expect(notes(chain, known: (2, x)) == [.inPlace, .forked, .forked])
    // Two archives with the same number, and an archive that continues from a different predecessor.
    #expect(notes(chain + [(facts(3, previous: b), digest: x)]) == [.inPlace, .inPlace, .forked, .forked])
    #expect(notes([chain[0], (facts(2, previous: x), digest: b)]) == [.inPlace, .forked])
    // Zeros say that the one before was not known; a gap says nothing; other vaults do not matter.
    #expect(notes([chain[0], (facts(2), digest: b)]) == [.inPlace, .inPlace])
    #expect(notes([chain[0], chain[2]]) == [.inPlace, .inPlace])
    #expect(notes([chain[0], (facts(1, vault: 8), digest: x)], known: (1, a)) == [.inPlace, .inPlace])
  }
}
