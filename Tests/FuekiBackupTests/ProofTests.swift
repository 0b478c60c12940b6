import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// The proofs of private keys, and the effect of a difference on a restore.
struct ProofTests {
  @Test(arguments: [
    ("evm", "1", "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"),
    ("evm", "1", "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"),
    ("bitcoin", "bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    ("bitcoin", "bitcoin", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"),
    ("bitcoin", "mainnet", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"),
    ("bitcoin", "bitcoin", "1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm"),
    ("bitcoin", "bitcoin", "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN"),
  ])
  func `a private key proves each kind of address that is its own`(
    family: String, chain: String, address: String
  ) throws {
    var sample = ProofSample()
    try sample.add("One", family, on: chain, at: address)
    try sample.add(key: ProofSample.one, of: "One")
    let report = try sample.prove()
    #expect(report.short == ["One: proved by private-key"])
    #expect(report.proofs.first?.address == address)
  }

  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000001",
    "0x0000000000000000000000000000000000000000000000000000000000000001",
    "5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf",
    "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn",
  ])
  func `a private key is read in each spelling that wallets have`(text: String) throws {
    var sample = ProofSample()
    try sample.add("One", at: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
    try sample.add(key: Array(text.utf8), of: "One")
    #expect(try sample.prove().short == ["One: proved by private-key"])
  }

  @Test func `a key in no known spelling proves nothing`() throws {
    for text in [
      "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWm", "one",
      "000000000000000000000000000000000000000000000000000000000000000g",
      "0000000000000000000000000000000000000000000000000000000000000000",
    ] {
      var sample = ProofSample()
      try sample.add("One", at: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
      try sample.add(key: Array(text.utf8), of: "One")
      #expect(try sample.prove().gap == .form(kind: "private-key"), "\(text)")
    }
  }

  @Test func `a key of another address differs, and one without a wallet finds its own`() throws {
    var sample = ProofSample()
    try sample.add("One", at: ProofSample.strange)
    try sample.add(key: ProofSample.one, of: "One")
    let report = try sample.prove()
    #expect(
      report.differences.map(\.result) == [
        .differs(.privateKey, .otherAddress(derived: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"))
      ])
    #expect(report.differences.map(\.address) == [ProofSample.strange])
    var free = ProofSample()
    try free.add("Other", at: ProofSample.strange)
    try free.add("One", at: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
    try free.add(key: ProofSample.one, of: nil)
    #expect(try free.prove().short == ["Other: not checked", "One: proved by private-key"])
    var alone = ProofSample()
    try alone.add(key: ProofSample.one, of: nil)
    #expect(try alone.prove().gap == .noWallet(derived: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"))
  }

  @Test func `an address that may be of more than one key is not called another's`() throws {
    for address in [
      // A script of any kind, a longer witness program, and an output key.
      "3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
      "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    ] {
      var sample = ProofSample()
      try sample.add("One", "bitcoin", on: "bitcoin", at: address)
      try sample.add(key: ProofSample.one, of: "One")
      #expect(try sample.prove().gap == .kindOfAddress, "\(address)")
    }
    var segwit = ProofSample()
    try segwit.add("One", "bitcoin", on: "bitcoin", at: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
    try segwit.add(key: ProofSample.one, of: "One")
    #expect(try segwit.prove().short == ["One: differs by private-key"])
  }

  @Test func `an account's address is the wallet's too`() throws {
    var sample = ProofSample()
    try sample.add("One", at: ProofSample.strange) { wallet in
      var account = Account()
      account.address = PackedText.pack("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
      wallet.accounts = [account]
    }
    try sample.add(key: ProofSample.one, of: "One")
    let report = try sample.prove()
    #expect(report.short == ["One: proved by private-key"])
    #expect(report.proofs.first?.address == "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
  }

  // RFC 8032 section 7.1, test 1.
  @Test func `Solana's address is the key of its seed`() throws {
    let seed = try #require(
      Hex.decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    let key = try #require(
      Hex.decode("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
    for secret in [seed, seed + key] {
      var sample = ProofSample()
      try sample.add("Sun", "solana", on: "mainnet", at: Base58.encode(key))
      try sample.add(key: secret, of: "Sun")
      #expect(try sample.prove().short == ["Sun: proved by private-key"])
    }
  }

  // MARK: in the pipeline

  @Test func `wallets with one name on several networks are told apart by their networks`() throws {
    var sample = ProofSample()
    for (chain, id) in [("1", "a"), ("137", "b"), ("4711", "c")] {
      try sample.add("w", on: chain, at: ProofSample.strange) { $0.id = PackedText.pack(id) }
    }
    try sample.add("w", "solana", on: "mainnet", at: "") { $0.id = PackedText.pack("d") }
    try sample.add("alone", on: "137", at: ProofSample.strange)
    #expect(
      try sample.prove().proofs.map(\.name) == [
        "w (Ethereum)", "w (Polygon)", "w (chain 4711)", "w (Solana)", "alone",
      ])
  }

  @Test func `what was proved and differs stays in the archive alone, unless it is accepted`() throws {
    var proof = ProofSample()
    try proof.add("One", at: ProofSample.strange)
    try proof.add(key: ProofSample.one, of: "One")
    try proof.add("Two", at: ProofSample.strange)
    proof.builder.note(WalletFinding(kind: "store", name: "One", .proved(.address)))
    let (held, destination) = try Self.restore(proof)
    #expect(destination.records[.wallets]?.count == 1)
    #expect(held.proofs.withheld.map(\.name) == ["One"] && !held.isComplete)
    // Other wallets may have the key, too.
    #expect(held.restored[.privateKeys] == 1)
    let (whole, accepting) = try Self.restore(proof) { $0.options.acceptsDifferences = true }
    #expect(accepting.records[.wallets]?.count == 2)
    #expect(whole.proofs.short == ["One: differs by private-key", "Two: not checked"])
    #expect(whole.proofs.withheld.isEmpty && whole.isComplete)
    #expect(
      whole.stages.first { $0.stage == .restoreWallets }?.result
        == .read(lost: .none, proofs: ProofTally(differing: 1, unchecked: 1)))
  }

  @Test(arguments: [
    WalletFinding.Result.faulty(.otherAddress), .notProved(.nothingToCompare),
  ]) func `what was not sound when the archive was made comes back as it was`(
    _ result: WalletFinding.Result
  ) throws {
    var proof = ProofSample()
    try proof.add("One", at: ProofSample.strange)
    try proof.add(key: ProofSample.one, of: "One")
    proof.builder.note(WalletFinding(kind: "store", name: "One", result))
    let (outcome, destination) = try Self.restore(proof)
    #expect(destination.isFinished && destination.records[.wallets]?.count == 1)
    #expect(outcome.isComplete && outcome.proofs.short == ["One: differs by private-key"])
  }

  private static func restore(
    _ proof: ProofSample, _ change: (inout Recovery) -> Void = { _ in }
  ) throws -> (RestoreReport, MemoryDestination) {
    let folder = try TemporaryDirectory()
    let sample = try SampleBundle()
    let stored = try sample.archive(proof.builder.build(), in: folder).source
    var recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    change(&recovery)
    let destination = MemoryDestination()
    let outcome = try recovery.run(stored, resyncer: nil, progress: { _ in }) { _ in
      (destination, MemoryKeychain())
    }
    return (outcome, destination)
  }
}
