import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// The forms of exported files.
extension `Vault shares of Vultisig` {
  @Test func `files with secrets in the clear leave only when asked for`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(SampleVault().file(), to: "a.vult")
    let source = try CollectorKind(named: "vultisig").source(at: folder.path("a.vult"))
    let records = try source.read(CollectionRequest()).holdingFiles()
    // The shares are included, each sealed a second time. The file itself, which the apps need, is not.
    #expect(records.secretFiles.isEmpty && records.shares.count == 2 && !records.isComplete)
    let profile = CollectionRequest(selection: try SectionSelection(only: ["profile"], exclude: []))
    let described = try source.read(profile)
    #expect(described.shares.isEmpty && described.descriptors.count == 2)
    #expect(described.verdicts == ["public-part ", "public-part "])
  }

  @Test func `an encrypted file needs its password, and is kept without`() throws {
    let plain = try SampleVault().message()
    let key = SHA256.hash(Array("old password".utf8).span).bytes
    let sealed = try GCM.seal(plain, key: key, nonce: [UInt8](repeating: 4, count: 12))
    let file = SampleVault.file(sealed, isEncrypted: true)
    let closed = try CollectorKind.read("vultisig", file)
    #expect(closed.verdicts == ["not-proved needs-password"] && closed.secretFiles.isEmpty)
    #expect(closed.files.map { Array($0.content) } == [file])
    let wrong = try CollectorKind.read("vultisig", file, passphrase: ForeignFiles.asking("no"))
    #expect(wrong.verdicts == ["not-proved wrong-password"] && wrong.files.count == 1)
    let open = try CollectorKind.read("vultisig", file, passphrase: ForeignFiles.asking("old password"))
    #expect(open.verdicts == ["proved group-key", "not-proved needs-other-parties"])
    #expect(open.files.map { Array($0.content) } == [file] && open.secretFiles.isEmpty)
    #expect(open.problems.contains { $0.problem.contains("hashed only once") })
  }

  @Test func `the newer way of encrypting is opened too`() throws {
    let salt = try SecretBytes(copying: [UInt8](repeating: 1, count: 16).span)
    let key = try PBKDF2.derive(
      from: SecretBytes.of("new password"), salt: salt, iterations: 600_000, count: 32)
    let sealed = try GCM.seal(
      SampleVault().message(), key: key.withBytes { bytes in bytes.indices.map { bytes[$0] } },
      nonce: [UInt8](repeating: 4, count: 12))
    let blob = Array("VLT".utf8) + [2] + [UInt8](repeating: 1, count: 16) + sealed
    let records = try CollectorKind.read(
      "vultisig", SampleVault.file(blob, isEncrypted: true), passphrase: ForeignFiles.asking("new password"))
    #expect(records.verdicts == ["proved group-key", "not-proved needs-other-parties"])
    #expect(!records.problems.contains { $0.problem.contains("hashed only once") })
  }

  @Test func `the oldest form is read, and a damaged file kept`() throws {
    let shares = try SampleVault().shares().map { #"{"pubkey":"\#($0.key)","keyshare":"\#($0.share)"}"# }
    let json = #"{"vault":{"keyshares":[\#(shares.joined(separator: ","))]},"version":"v1"}"#
    let records = try CollectorKind.read("vultisig", Array(Hex.encode(Array(json.utf8)).utf8))
    #expect(records.verdicts == ["proved group-key", "not-proved needs-other-parties"])
    let file = try SampleVault().file()
    for cut in [file.count / 2, 200, 7] {
      let damaged = try CollectorKind.read("vultisig", Array(file.prefix(cut)))
      #expect(damaged.findings.contains { $0.isFaulty }, "\(cut)")
      #expect(damaged.secretFiles.reduce(0) { $0 + $1.content.bytes.count } == cut)
    }
  }

  @Test func `a ZIP file of several vaults is read entry by entry`() throws {
    var other = SampleVault()
    (other.own, other.localParty) = (1, "Laptop-2")
    let folder = try TemporaryDirectory()
    try folder.write(SampleVault().file(), to: "a-share1of2.vult")
    try folder.write(other.file(), to: "a-share2of2.vult")
    try folder.write(Array("words".utf8), to: "notes.txt")
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1] + "/all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
          for name in ["a-share1of2.vult", "notes.txt", "a-share2of2.vult"]:
              archive.write(sys.argv[1] + "/" + name, name)
      """
    let run = try BuiltBinary.run(program: "/usr/bin/python3", ["-c", script, folder.path])
    try #require(run.status == 0, "\(run.errors)")
    let file = try folder.read("all.zip")
    let records = try CollectorKind.read("vultisig", file, named: "vultisig_backups_1.zip")
    #expect(records.shares.count == 4 && records.verdicts.allSatisfy { $0 == "proved group-key" })
    #expect(records.wallets.count == 3 && records.secretFiles.count == 1)
    var damaged = file
    damaged[file.count / 4] ^= 0x40
    let rest = try CollectorKind.read("vultisig", damaged, named: "vultisig_backups_1.zip")
    #expect(rest.findings.contains { $0.isFaulty } && rest.secretFiles.count == 1)
    #expect(try CollectorKind.recognised(at: folder.path("all.zip"))?.name == "vultisig")
  }

  @Test func `an export is told from other files`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(SampleVault().file(), to: "a")
    #expect(try CollectorKind.recognised(at: folder.path("a"))?.name == "vultisig")
  }
}
