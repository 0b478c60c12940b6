import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct `Keys of Solana` {
  private static let here = Fixtures.folder("wallets/solana") != nil

  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    Array("[\(bytes.map(String.init).joined(separator: ","))]".utf8)
  }

  private static func pair() throws -> [UInt8] {
    let seed = Array(UInt8(1)...32)
    return seed + (try Ed25519.publicKey(seed: try SecretBytes(copying: seed.span)).bytes)
  }

  @Test(
    .enabled(if: here, "the fixtures are not here"),
    arguments: [
      ("deployer-keypair.json", "tgyXxAhCkpgtKCEi4W6xWJSzqwVGs3uk2RodbZP2J49"),
      ("idl_commands_one-keypair.json", "2uA3amp95zsEHUpo8qnLMhcFAUsiKVEcKHXS1JetFjU5"),
    ]) func `published keys`(_ sample: (name: String, address: String)) throws
  {
    let folder = try #require(Fixtures.folder("wallets/solana"))
    let path = "\(folder)/\(sample.name)"
    let records = try NodeFiles.read("solana", path)
    #expect(try NodeFiles.secretContent(records) == Fixtures.file("wallets/solana/\(sample.name)"))
    #expect(records.findings.map(\.result) == [.proved(.publicKey)] && records.files.isEmpty)
    #expect(records.findings.first?.detail == sample.address)
    #expect(records.wallets.map { PackedText.text($0.address) } == [sample.address])
    #expect(try CollectorKind.recognised(at: path)?.name == "solana")
    // Without the secret, only public data remains.
    let public_ = try NodeFiles.read("solana", path, secrets: false)
    #expect(public_.secretFiles.isEmpty && public_.findings.map(\.result) == [.withoutSeed])
  }

  @Test func `a public key that is not the seed's, and lists of another length, are told`() throws {
    let folder = try TemporaryDirectory()
    var pair = try Self.pair()
    try folder.write(Self.text(pair), to: "a.json")
    pair[63] ^= 1
    try folder.write(Self.text(pair), to: "b.json")
    try folder.write(Self.text(Array(pair[..<32])), to: "c.json")
    try folder.write(Self.text([1, 2, 3]), to: "d.json")
    try folder.write(Self.text(Array(pair[..<63])), to: "id.json")
    try folder.write(Array("[1, 256]".utf8), to: "e.json")
    let records = try NodeFiles.read("solana", folder.path)
    #expect(
      records.findings.map(\.result) == [
        .proved(.publicKey), .faulty(.secretDiffers), .faulty(.length), .faulty(.length),
      ])
    #expect(records.secretFiles.count == 6 && records.isComplete)
    #expect(records.excluded.map(\.what) == ["d.json", "e.json"])
    #expect(records.excluded.allSatisfy { $0.isKeptUnread })
  }

  @Test(arguments: [
    "validator-keypair.json", "vote-account-keypair.json", "authorized-withdrawer-keypair.json", "id.json",
  ]) func `a validator's keys are a hazard`(_ name: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(try Self.text(Self.pair()), to: name)
    let records = try NodeFiles.read("solana", folder.path)
    #expect(records.secretFiles.first?.extra.contains { $0.name == "hazards" } == (name != "id.json"))
  }

  @Test(arguments: [
    "", "[", "[]", "[1", "[1,]", "[,1]", "[1]]", "[1] 2", "[-1]", "[0001]", "{}", "[1 2]", "x",
  ])
  func `what is no list of bytes is refused`(_ text: String) throws {
    let secret = try SecretBytes.of(text)
    #expect(throws: SolanaKey.Refusal.self) { try SolanaKey(reading: secret).stated }
  }
}
