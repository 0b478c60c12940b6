import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

struct ProofTests {
  private static let strange = "0x7ef5a6135f1fd6a02593eedc869c6d41d934aef8"
  /// The private key 1, whose addresses everybody knows.
  private static let one = [UInt8](repeating: 0, count: 31) + [1]

  // MARK: key shares

  @Test func `a share set that leads to its wallet's address proves it, also with fewer than sign`() throws {
    for places in [[0], [0, 1], [0, 1, 2]] {
      let shares = try ShareSample()
      var sample = ProofSample()
      try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
        $0.groupPublicKey = Data(shares.groupKey)
      }
      try sample.add(shares, places)
      let report = try sample.prove()
      #expect(report.short == ["Savings: proved by key-shares"])
      #expect(report.sentence == "addresses: 1 proved")
      #expect(report.olderShares.isEmpty)
    }
  }

  @Test func `shares of another key than the wallet's address differ`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: Self.strange) { $0.groupPublicKey = Data(shares.groupKey) }
    try sample.add(shares, [0, 1])
    let report = try sample.prove()
    #expect(report.short == ["Savings: differs by key-shares"])
    let expected = try ProofSample.address(of: shares.groupKey)
    #expect(report.differences[0].sentence == "its key shares lead to \(expected), not to \(Self.strange)")
  }

  @Test func `an address that lies further along a path is not judged by the group's key`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: Self.strange) {
      $0.groupPublicKey = Data(shares.groupKey)
      $0.derivationPath = "m/44'/60'/0'/0/0"
    }
    try sample.add(shares, [0])
    #expect(try sample.prove().gap == .derivedFurther(path: "m/44'/60'/0'/0/0"))
  }

  @Test func `a secret that is another share's differs, whatever the address`() throws {
    var shares = try ShareSample()
    shares.descriptors[0].ownPublicPoint = try shares.strangePoint()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
      $0.groupPublicKey = Data(shares.groupKey)
    }
    try sample.add(shares, [0])
    let report = try sample.prove()
    #expect(report.short == ["Savings: differs by key-shares"])
    #expect(report.differences[0].sentence.hasPrefix("its key shares do not fit: share 0: "))
  }

  @Test func `what is not said leaves a set open, and is no difference`() throws {
    var shares = try ShareSample()
    shares.change { $0.points = [] }
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
      $0.groupPublicKey = Data(shares.groupKey)
    }
    try sample.builder.add(share: shares.descriptors[0], secret: shares.secrets[0])
    guard case .shares? = try sample.prove().gap else {
      Issue.record("a share alone, whose group's points are not known, proves nothing")
      return
    }
  }

  @Test func `only what is selected counts`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
      $0.groupPublicKey = Data(shares.groupKey)
    }
    try sample.add(shares, [0, 1])
    let profile = try SectionSelection(only: ["profile"], exclude: [])
    #expect(try sample.prove(profile).gap == .publicSideOnly)
    let wallets = try SectionSelection(only: ["wallets"], exclude: [])
    #expect(try sample.prove(wallets).gap == .noKey)
    let history = try SectionSelection(only: ["history"], exclude: [])
    #expect(try sample.prove(history).proofs.isEmpty)
  }

  @Test func `of shares from before and after a refresh the newest prove, and the older are named`() throws {
    let old = try ShareSample()
    var new = try old.refreshed()
    new.change {
      $0.epoch = 2
      $0.id = Data($0.id.map { $0 + 100 })
      $0.name += ", refreshed"
    }
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: old.groupKey)) {
      $0.groupPublicKey = Data(old.groupKey)
    }
    try sample.builder.add(share: old.descriptors[0], secret: old.secrets[0])
    try sample.add(new, [0, 1])
    let report = try sample.prove()
    #expect(report.short == ["Savings: proved by key-shares"])
    #expect(
      report.olderShares.map(\.sentence)
        == ["share 0: of epoch 1, where the same key has shares of epoch 2"])
  }

  @Test func `shares that belong to no wallet are listed with their key's address`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add(shares, [0, 1])
    let report = try sample.prove()
    #expect(report.proofs.map(\.subject) == [.keyShares])
    #expect(report.gap == .noWallet(derived: try ProofSample.address(of: shares.groupKey)))
  }

  // MARK: private keys

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
    try sample.add(key: Self.one, of: "One")
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
    try sample.add("One", at: Self.strange)
    try sample.add(key: Self.one, of: "One")
    let report = try sample.prove()
    #expect(
      report.differences.map(\.sentence) == [
        "its private key leads to 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, not to \(Self.strange)"
      ])
    var free = ProofSample()
    try free.add("Other", at: Self.strange)
    try free.add("One", at: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
    try free.add(key: Self.one, of: nil)
    #expect(try free.prove().short == ["Other: not checked", "One: proved by private-key"])
    var alone = ProofSample()
    try alone.add(key: Self.one, of: nil)
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
      try sample.add(key: Self.one, of: "One")
      #expect(try sample.prove().gap == .kindOfAddress, "\(address)")
    }
    var segwit = ProofSample()
    try segwit.add("One", "bitcoin", on: "bitcoin", at: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
    try segwit.add(key: Self.one, of: "One")
    #expect(try segwit.prove().short == ["One: differs by private-key"])
  }

  @Test func `an account's address is the wallet's too`() throws {
    var sample = ProofSample()
    try sample.add("One", at: Self.strange) { wallet in
      var account = Account()
      account.address = PackedText.pack("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
      wallet.accounts = [account]
    }
    try sample.add(key: Self.one, of: "One")
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

  // MARK: seed phrases and descriptors

  /// The words of BIP-39's first vector, which everybody knows.
  private static let words = Array(
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about".utf8)
  private static let account =
    "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"

  @Test(arguments: [
    ("evm", "1", "0x9858EfFD232B4033E47d90003D41EC34EcaEda94", ""),
    ("evm", "1", "0x9858EfFD232B4033E47d90003D41EC34EcaEda94", "m/44'/60'/0'/0/0"),
    ("evm", "1", "0x9858EfFD232B4033E47d90003D41EC34EcaEda94", "m/44'/60'/0'/0"),
    ("bitcoin", "bitcoin", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "m/84'/0'/0'"),
    ("bitcoin", "bitcoin", "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g", "m/84h/0h/0h/0/*"),
    ("bitcoin", "bitcoin", "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el", ""),
    ("bitcoin", "bitcoin", "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf", ""),
    ("bitcoin", "bitcoin", "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA", ""),
    ("bitcoin", "bitcoin", "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr", ""),
  ])
  func `a seed phrase proves what lies at its wallet's path`(
    family: String, chain: String, address: String, path: String
  ) throws {
    var sample = ProofSample()
    try sample.add("Seed", family, on: chain, at: address) { $0.derivationPath = path }
    try sample.add(key: Self.words, kind: "seed-phrase", of: "Seed")
    #expect(try sample.prove().short == ["Seed: proved by seed-phrase"])
  }

  @Test func `another address is no difference where a passphrase may belong to the words`() throws {
    var sample = ProofSample()
    try sample.add("Seed", at: Self.strange)
    try sample.add(key: Self.words, kind: "seed-phrase", of: "Seed")
    let report = try sample.prove()
    #expect(report.gap == .passphrase(derived: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"))
    var spaced = ProofSample()
    try spaced.add("Seed", at: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94")
    let typed = String(decoding: Self.words, as: UTF8.self).replacing(" ", with: " \n ").uppercased()
    try spaced.add(key: Array("  \(typed)\n".utf8), kind: "seed-phrase", of: "Seed")
    #expect(try spaced.prove().short == ["Seed: proved by seed-phrase"])
    var other = ProofSample()
    try other.add("Seed", at: Self.strange)
    try other.add(key: Array("ábaco ábaco".utf8), kind: "seed-phrase", of: "Seed")
    #expect(try other.prove().gap == .words)
  }

  @Test func `descriptors prove the addresses that they derive, and differ from others`() throws {
    func prove(_ address: String, _ descriptor: String, revealed: UInt32? = 3) throws -> ProofReport {
      var sample = ProofSample()
      try sample.add("Coins", "bitcoin", on: "bitcoin", at: address) { wallet in
        wallet.descriptors = [descriptor]
        guard let revealed else { return }
        var keychain = KeychainIndex()
        keychain.lastRevealed = revealed
        wallet.keychains = [keychain]
      }
      return try sample.prove()
    }
    let descriptor = "wpkh([73c5da0a/84h/0h/0h]\(Self.account)/<0;1>/*)"
    for address in [
      "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g",
      "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el",
    ] {
      #expect(try prove(address, descriptor).short == ["Coins: proved by descriptor"])
    }
    let strange = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    let differing = try prove(strange, descriptor)
    #expect(
      differing.differences.map(\.sentence)
        == ["its descriptor leads to bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu, not to \(strange)"])
    #expect(try prove(strange, descriptor, revealed: nil).gap == .beyond(indices: 20))
    guard case .descriptor? = try prove(strange, "wsh(and_v(v:pk(A),older(9)))").gap else {
      Issue.record("a descriptor that is not understood is judged")
      return
    }
  }

  @Test func `each wallet that nothing leads to says why`() throws {
    var sample = ProofSample()
    try sample.add("watched", kind: "watch-only", at: Self.strange)
    try sample.add("device", kind: "hardware", at: Self.strange)
    try sample.add("hot", at: Self.strange)
    try sample.add("empty", at: "")
    let report = try sample.prove()
    #expect(
      report.proofs.map(\.result) == [
        .notChecked(.watchOnly), .notChecked(.hardware), .notChecked(.noKey), .notChecked(.noAddress),
      ])
    #expect(report.sentence == "addresses: 4 not checked")
  }

  // MARK: in the pipeline

  @Test func `a difference stops the restore before anything is in place, unless it is accepted`() throws {
    var proof = ProofSample()
    try proof.add("One", at: Self.strange)
    try proof.add(key: Self.one, of: "One")
    let folder = try TemporaryDirectory()
    let sample = try SampleBundle()
    let stored = try sample.archive(proof.builder.build(), in: folder).source
    var recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    let destination = MemoryDestination()
    do {
      _ = try recovery.run(stored, resyncer: nil, progress: { _ in }) { _ in (destination, MemoryKeychain()) }
      Issue.record("a key of another address is restored silently")
    } catch BackupError.proofsDiffer(let proofs) {
      #expect(proofs.map(\.name) == ["One"])
    }
    #expect(!destination.isFinished && destination.records.isEmpty)
    recovery.acceptsDifferences = true
    let outcome = try recovery.run(stored, resyncer: nil, progress: { _ in }) { _ in
      (destination, MemoryKeychain())
    }
    #expect(destination.isFinished)
    #expect(outcome.report.proofs.short == ["One: differs by private-key"])
    #expect(
      outcome.stages.first { $0.stage == .restoreWallets }?.result == "done; addresses: 1 differ")
  }
}
