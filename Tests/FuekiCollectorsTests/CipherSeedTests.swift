import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// The 24 words of LND nodes.
@Suite struct `Words of LND` {
  /// The vectors of LND's package aezeed: one entropy with two passphrases, and a cheap key derivation.
  private static let entropy = "81b637d86359e6960de795e41e0b4cfd"
  private static let usual =
    "ability liquid travel stem barely drastic pact cupboard apple thrive morning oak feature tissue couch old math"
    + " inform success suggest drink motion know royal"
  private static let chosen =
    "able tree stool crush transfer cloud cross three profit outside hen citizen plate ride require leg siren drum"
    + " success suggest drink require fiscal upgrade"

  private func entropy(_ text: String) throws -> String {
    let bytes = Array(text.utf8)
    let cost = Scrypt.Cost(n: 16, r: 8, p: 1)
    return Hex.encode(try CipherSeed.entropy(of: bytes.span, cost: cost).copied())
  }

  @Test func `the package's vectors lead to their entropy`() throws {
    #expect(try entropy(Self.usual) == Self.entropy)
    #expect(try entropy("\(Self.chosen)\n!very_safe_55345_password*\n") == Self.entropy)
    // Words on separate lines, without numbers.
    #expect(try entropy(" " + Self.usual.replacing(" ", with: "\n") + "\n") == Self.entropy)
  }

  @Test func `wrong words, another passphrase and another version are told apart`() throws {
    #expect(throws: CipherSeed.Refusal.passphrase) { try entropy("\(Self.usual)\nkek") }
    #expect(throws: CipherSeed.Refusal.passphrase) { try entropy(Self.chosen) }
    #expect(throws: CipherSeed.Refusal.words) {
      try entropy(Self.usual.replacing("royal", with: "rude"))
    }
    #expect(throws: CipherSeed.Refusal.words) { try entropy(Self.usual.replacing(" royal", with: "")) }
    #expect(throws: CipherSeed.Refusal.words) { try entropy(Self.usual.replacing("royal", with: "lnd")) }
    // A correct checksum with a version that does not exist.
    #expect(throws: CipherSeed.Refusal.self) { try entropy(Self.usual.replacing("ability", with: "zoo")) }
  }

  @Test func `a text of another length is none of AEZ's short ones`() throws {
    let key = try SecretBytes(count: 32)
    for count in [0, 15, 32] {
      let bytes = [UInt8](repeating: 1, count: count)
      #expect(throws: CryptoError.invalidLength) {
        _ = try AEZTiny.open(bytes.span, key: key, data: [], tagByteCount: 4)
      }
    }
  }

  @Test(
    .enabled(if: Fixtures.folder("wallets/lnd-scb") != nil, "the fixtures are not here"),
    arguments: ["anchors", "zero-conf-anchors-channel", "taproot"])
  func `with the words the channels are counted`(_ name: String) throws {
    let folder = try #require(Fixtures.folder("wallets/lnd-scb"))
    let sample = try JSONDocument(Fixtures.file("wallets/lnd-scb/\(name).json"), limit: 1 << 16).root
    let words = try #require(sample.member("mnemonic")?.string)
    let passphrase = try #require(sample.member("password")?.string)
    func result(_ text: String) throws -> [WalletFinding.Result] {
      try CollectorKind(named: "lnd")
        .source(at: "\(folder)/\(name).backup", passphrase: ForeignFiles.asking(text))
        .read(.forBackup).findings.map(\.result)
    }
    #expect(try result("\(words)\n\(passphrase)") == [.publicPart(.opened)])
    #expect(try result(words) == [.notProved(.wrongPassword)])
    #expect(try result("\(Self.usual)") == [.notProved(.wrongPassword)])
  }
}
