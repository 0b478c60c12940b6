import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// The proofs of seed phrases and descriptors, and the cases without proof.
struct SeedProofTests {
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
    try sample.add("Seed", at: ProofSample.strange)
    try sample.add(key: Self.words, kind: "seed-phrase", of: "Seed")
    let report = try sample.prove()
    #expect(report.gap == .passphrase(derived: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"))
    var spaced = ProofSample()
    try spaced.add("Seed", at: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94")
    let typed = String(decoding: Self.words, as: UTF8.self).replacing(" ", with: " \n ").uppercased()
    try spaced.add(key: Array("  \(typed)\n".utf8), kind: "seed-phrase", of: "Seed")
    #expect(try spaced.prove().short == ["Seed: proved by seed-phrase"])
    var other = ProofSample()
    try other.add("Seed", at: ProofSample.strange)
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
      differing.differences.map(\.result) == [
        .differs(.descriptor, .otherAddress(derived: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"))
      ])
    #expect(differing.differences.map(\.address) == [strange])
    #expect(try prove(strange, descriptor, revealed: nil).gap == .beyond(indices: 20))
    guard case .descriptor? = try prove(strange, "wsh(and_v(v:pk(A),older(9)))").gap else {
      Issue.record("a descriptor that is not understood is judged")
      return
    }
  }

  @Test func `each wallet that nothing leads to says why`() throws {
    var sample = ProofSample()
    try sample.add("watched", kind: "watch-only", at: ProofSample.strange)
    try sample.add("device", kind: "hardware", at: ProofSample.strange)
    try sample.add("hot", at: ProofSample.strange)
    try sample.add("empty", at: "")
    let report = try sample.prove()
    #expect(
      report.proofs.map(\.result) == [
        .notChecked(.watchOnly), .notChecked(.hardware), .notChecked(.noKey), .notChecked(.noAddress),
      ])
    #expect(report.tally == ProofTally(unchecked: 4))
  }
}
