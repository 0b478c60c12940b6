import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct `Secrets of Core Lightning nodes` {
  private static let words =
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
  /// The secret of 32 times 07, encrypted with "lightning pw".
  private static let encrypted =
    "bb16b579f25be36b09fc94823cdce9c644713e81127a521cc3b7e537313b27b5a9e643340f2d0f7079a36e5241be3e8bb8808ede4a7a2d62"
    + "85c08cfba3b6f7279e32d99e91709a2739"
  /// Created with the same secret.
  private static let recovery =
    "318130879eabd8d75a95cab423bab1abfb49dabfaab14f8f345cf6b02022082af03e18a767a7718a749d4972995aa30a13d07c63b3639dd0"
    + "8cc9e8"
  private static let node = "0201334abc0119523c756dfcf75c884d98d092cc0c3ecc85292b28b91cb9f83228"

  private func finding(_ bytes: [UInt8], _ password: String? = nil) throws -> (
    WalletFinding?, ImportedRecords
  ) {
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "hsm_secret")
    let records = try NodeFiles.read("core-lightning", folder.path("hsm_secret"), password: password)
    return (records.findings.first, records)
  }

  @Test func `32 bytes in the clear give the node's id`() throws {
    let (finding, records) = try finding([UInt8](repeating: 7, count: 32))
    #expect(finding?.detail == Self.node && finding?.isInClear == true)
    #expect(NodeFiles.secretContent(records) == [UInt8](repeating: 7, count: 32) && records.files.isEmpty)
    let (bad, kept) = try self.finding([UInt8](repeating: 7, count: 31))
    #expect(bad?.result == .faulty(.length) && kept.secretFiles.count == 1)
  }

  @Test func `the encrypted form opens with its passphrase`() throws {
    let bytes = try #require(Hex.decode(Self.encrypted))
    let (closed, records) = try finding(bytes)
    #expect(closed?.result == .notProved(.needsPassword) && records.files.count == 1)
    #expect(records.secretFiles.isEmpty)
    let (wrong, _) = try finding(bytes, "lightning")
    #expect(wrong?.result == .notProved(.wrongPassword) && wrong?.detail == "")
    let (open, _) = try finding(bytes, "lightning pw")
    #expect(open?.result == .proved(.opened) && open?.detail == Self.node)
  }

  @Test func `words, with and without a passphrase`() throws {
    let (plain, records) = try finding([UInt8](repeating: 0, count: 32) + Array(Self.words.utf8))
    #expect(plain?.detail == "025822aa0d1afff06d21ca9dbc76d1e6ee3e3fc750971ae47f8b33b98c730b7067")
    #expect(plain?.isInClear == true && records.secretFiles.count == 1)
    let proof = try #require(Hex.decode("ea5d91751fd99c9a6c848d937629bb951e1ac1a580794750dc9349b5d80b5b89"))
    let guarded = proof + Array("\(Self.words)\n".utf8)
    let (closed, _) = try finding(guarded)
    #expect(closed?.result == .notProved(.needsPassword))
    let (wrong, _) = try finding(guarded, "pas")
    #expect(wrong?.result == .notProved(.wrongPassword))
    let (open, _) = try finding(guarded, "pass")
    #expect(open?.result == .proved(.opened))
    #expect(open?.detail == "0266c1071267dd28b051372656dea9a016c519aa8d85b08d5b2349ac9c1b8f5542")
  }

  @Test func `the emergency file opens with the secret beside it, and the database stays out`() throws {
    let folder = try TemporaryDirectory()
    let recovery = try #require(Hex.decode(Self.recovery))
    try folder.write([UInt8](repeating: 7, count: 32), to: "hsm_secret")
    try folder.write(recovery, to: "emergency.recover")
    try folder.write(Array("SQLite format 3\0".utf8), to: "lightningd.sqlite3")
    let records = try NodeFiles.read("core-lightning", folder.path)
    #expect(records.findings.map(\.result) == [.notProved(.nothingToCompare), .proved(.opened)])
    #expect(records.findings.map(\.detail) == [Self.node, Self.node])
    #expect(records.files.map { [UInt8]($0.content) } == [recovery])
    #expect(records.excluded.map(\.what) == ["lightningd.sqlite3"])
    #expect(records.files.first?.extra.contains { $0.name == "hazards" } == true)
    let alone = try NodeFiles.read("core-lightning", folder.path("emergency.recover"))
    #expect(alone.findings.map(\.result) == [.notProved(.needsSeed)])
  }

  @Test func `the answer of staticbackup is kept, and a truncated answer is faulty`() throws {
    let folder = try TemporaryDirectory()
    let text = #"{"scb": ["00ff11", "22aa"]}"#
    try folder.write([0xEF, 0xBB, 0xBF] + Array(text.utf8), to: "staticbackup.json")
    let records = try NodeFiles.read("core-lightning", folder.path)
    #expect(records.findings.map(\.result) == [.notProved(.needsSeed)])
    #expect(records.findings.map(\.detail) == ["channels=2"])
    #expect(records.files.count == 1 && records.files[0].extra.contains { $0.name == "hazards" })
    #expect(try CollectorKind.recognised(at: folder.path("staticbackup.json"))?.name == "core-lightning")
    try folder.write(Array(text.utf8.dropLast(4)), to: "cut.json")
    let cut = try NodeFiles.read("core-lightning", folder.path("cut.json"))
    #expect(cut.findings.map(\.result) == [.faulty(.malformed)] && cut.files.count == 1)
  }

  @Test(.enabled(if: Fixtures.folder("wallets/core-lightning") != nil, "the fixtures are not here"))
  func `the published secret`() throws {
    let bytes = try Fixtures.file("wallets/core-lightning/p2sh_wallet_hsm_secret")
    let (finding, _) = try finding(bytes)
    #expect(finding?.detail == "0266e4598d1d3c415f572a8488830b60f7e744ed9235eb0b1ba93283b315c03518")
  }
}
