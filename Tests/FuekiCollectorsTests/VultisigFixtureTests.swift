import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// The apps' own exports.
@Suite(.enabled(if: Fixtures.folder("wallets/vultisig") != nil, "the fixtures are not here"))
struct VultisigFixtureTests {
  private func read(_ name: String, _ password: String? = nil) throws -> ImportedRecords {
    let folder = try #require(Fixtures.folder("wallets/vultisig"))
    return try CollectorKind(named: "vultisig").source(
      at: "\(folder)/\(name)", passphrase: password.map { ForeignFiles.asking($0) }
    ).read(CollectionRequest()).holdingFiles()
  }

  private func addresses(_ records: ImportedRecords) -> [String] {
    records.wallets.compactMap { PackedText.text($0.address) }
  }

  @Test func `a GG20 vault's two files`() throws {
    for name in ["Test-part1of2.vult", "Test-part2of2.vult"] {
      let records = try read(name)
      #expect(records.verdicts == ["proved group-key", "proved group-key"], "\(name)")
      #expect(records.findings.allSatisfy { $0.detail.hasPrefix("2 of 2, ") })
      #expect(
        addresses(records) == [
          "bc1qvn203p8pp30fk945eywrjey937qpaanha8hc4r", "0x55a7Ea16A40f8c908CbC935D229eBe4C6658e90D",
          "EPEg1C2pEwiEbPaBTuyydnvGpZoa6y3iXVVNzv7JYT8H",
        ])
      #expect(records.shares.map(\.descriptor.curve) == ["secp256k1", "ed25519"])
    }
  }

  @Test func `a DKLS vault's file, of its server`() throws {
    let records = try read("TestDKLS1of2.vult")
    #expect(records.verdicts == ["proved group-key", "not-proved needs-other-parties"])
    #expect(
      addresses(records).prefix(2) == [
        "bc1q0pap5flkh45w8zz2ew9xpf884me55g65l7vqcu", "0x60790246e37D154e02beaF2b9Fb27F93a26A6B3f",
      ])
    #expect(records.problems.contains { $0.problem.contains("server's share") })
    let points = records.shares[0].descriptor.points.map { Hex.encode([UInt8]($0.point)) }
    #expect(
      points == [
        "02b97f08f3104447be4840b0885d46af8947a2ee753486a8e0367a203bbedd6e52",
        "02be8f8c1f4d4bb831a9a78dc0f6905516d2af72bcb910d307120c6ee1ba0f4b8c",
      ])
  }

  @Test func `an encrypted vault with a share that an earlier key left`() throws {
    let closed = try read("test_ios_vault_backup.bak")
    #expect(closed.verdicts == ["not-proved needs-password"])
    let open = try read("test_ios_vault_backup.bak", "ios_test_pwd")
    #expect(Set(open.verdicts) == ["proved group-key", "not-proved other-key"])
    #expect(open.shares.count == 3 && open.verdicts.filter { $0 == "not-proved other-key" }.count == 1)
    #expect(open.findings.allSatisfy { $0.detail.hasPrefix("2 of 3, ") })
  }

  @Test(arguments: ["ios", "web"]) func `what the apps encrypt is opened`(_ app: String) throws {
    let file = try Fixtures.file("wallets/vultisig/envelope-pbkdf2-\(app).json")
    let sample = try JSONDecoder().decode([String: String].self, from: Data(file))
    let sealed = try #require(Data(base64Encoded: sample["ciphertextBase64"] ?? ""))
    let envelope = VultisigEnvelope(try SecretBytes(copying: Array(sealed).span))
    let (plain, isWeak) = try #require(
      try envelope.open(with: SecretBytes.of(sample["password"] ?? ""), work: WorkBudget()))
    #expect(plain.bytes.text() == sample["plaintext"] && !isWeak)
    let other = try envelope.open(with: SecretBytes.of("another"), work: WorkBudget())
    #expect(other == nil)
  }
}
