import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Wallets of Bitcoin Core and Litecoin Core: generated with real keys, and published ones if available.
struct BitcoinCoreTests {
  private static let folder = "wallets/bitcoin-core"
  private static var isPublishedHere: Bool { Fixtures.folder(folder) != nil }
  private static let publishedPassword = "btcr-test-password"

  private func read(
    _ path: String, _ passphrase: SourcePassphrase? = nil, clear: Bool = true
  ) throws -> ImportedRecords {
    var request = CollectionRequest()
    (request.includesPrivateKeys, request.isForBackup) = (clear, true)
    return try CollectorKind(named: "bitcoin-core").source(at: path, passphrase: passphrase).read(request)
      .holdingFiles()
  }

  private func addresses() throws -> JSONDocument {
    let made = try #require(ForeignFiles.core)
    return try JSONDocument(made.read("addresses.json"), limit: 1 << 16)
  }

  // MARK: wallets of the script

  private static let results: [(String, String?, WalletFinding.Result, isSecret: Bool)] = [
    ("plain.dat", nil, .proved(.address), true), ("new-spelling.dat", nil, .proved(.address), true),
    ("pages-512.dat", nil, .proved(.address), true), ("pages-65536.dat", nil, .proved(.address), true),
    ("no-notes.dat", nil, .proved(.address), true), ("regtest.dat", nil, .proved(.address), true),
    ("litecoin.dat", nil, .proved(.address), true), ("no-names.dat", nil, .proved(.publicKey), true),
    ("encrypted.dat", ForeignFiles.passphrase, .proved(.address), false),
    ("encrypted.dat", "another", .notProved(.wrongPassword), false),
    ("encrypted.dat", nil, .notProved(.needsPassword), false),
    ("encrypted-wrong-note.dat", ForeignFiles.passphrase, .faulty(.secretDiffers), false),
    ("watch-only.dat", nil, .publicPart(), false), ("keys-missing.dat", nil, .faulty(.malformed), false),
    ("wrong-key.dat", nil, .faulty(.secretDiffers), true),
    ("wrong-note.dat", nil, .faulty(.secretDiffers), true), ("wrong-id.dat", nil, .faulty(.checksum), true),
  ]

  @Test(
    .enabled(if: ForeignFiles.core != nil, "python3-cryptography is not here"), arguments: results.indices)
  func `each wallet is kept whole, and is worth what it is worth`(_ place: Int) throws {
    let (name, password, result, isSecret) = Self.results[place]
    let made = try #require(ForeignFiles.core)
    let records = try read(made.path(name), password.map { ForeignFiles.asking($0) })
    #expect(records.findings.map(\.result) == [result], "\(name)")
    #expect(records.findings.first?.isInClear == isSecret, "\(name)")
    let kept =
      isSecret
      ? records.secretFiles.flatMap {
        $0.content.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
      }
      : records.files.flatMap { Array($0.content) }
    #expect(try kept == made.read(name), "\(name)")
    #expect(records.files.isEmpty == isSecret && records.secretFiles.isEmpty != isSecret, "\(name)")
    #expect(records.excluded.isEmpty && records.isComplete, "\(name): \(records.excluded.map(\.reason))")
  }

  @Test(.enabled(if: ForeignFiles.core != nil, "python3-cryptography is not here"))
  func `descriptors, their next indices, labels and contacts are read`() throws {
    let made = try #require(ForeignFiles.core)
    let known = try addresses().root
    for (name, network) in [
      ("plain.dat", "bitcoin"), ("encrypted.dat", "bitcoin"), ("litecoin.dat", "litecoin"),
    ] {
      let records = try read(made.path(name))
      let wallet = try #require(records.wallets.first)
      #expect(records.wallets.count == 1 && wallet.chainID == network && wallet.kind == "hot")
      #expect(PackedText.text(wallet.address) == known.member(network)?.string, "\(name)")
      #expect(
        wallet.descriptors.count == 8 && wallet.keychains.map(\.lastRevealed) == Array(repeating: 2, count: 8)
      )
      #expect(wallet.createdAt == 1_600_000_000_000_000)
      let change = try wallet.descriptors.map { try Descriptor(parsing: $0) }.compactMap {
        try? $0.address(at: 0, network: #require(BitcoinNetwork.named("bitcoin")))
      }
      #expect(change.contains(known.member("change")?.string ?? "?"), "\(name)")
      #expect(records.settings.map(\.value).contains { $0.contains("Miete") })
      #expect(records.contacts.map(\.name) == ["Bäcker"])
    }
    let regtest = try read(made.path("regtest.dat"))
    #expect(regtest.findings.first?.detail == known.member("regtest")?.string)
  }

  @Test(.enabled(if: ForeignFiles.core != nil, "python3-cryptography is not here"))
  func `what holds keys in the clear stays out where secrets do, and is then not the money`() throws {
    let made = try #require(ForeignFiles.core)
    let records = try read(made.path("plain.dat"), clear: false)
    #expect(records.secretFiles.isEmpty && records.files.isEmpty && records.privateKeys.isEmpty)
    #expect(records.findings.map(\.result) == [.withoutSeed] && !records.isComplete)
    #expect(try read(made.path("encrypted.dat"), clear: false).files.count == 1)
  }

  @Test(.enabled(if: ForeignFiles.core != nil, "python3-cryptography is not here"))
  func `a wallet that was cut, or changed anywhere, is kept and never traps`() throws {
    let made = try #require(ForeignFiles.core)
    let whole = try made.read("plain.dat")
    let folder = try TemporaryDirectory()
    var generator = TestSeed.random("core wallets")
    for round in 0..<60 {
      var bytes = whole
      if round < 20 {
        bytes = Array(whole.prefix(Int.random(in: 100...whole.count - 1, using: &generator)))
      } else {
        for _ in 0..<8 {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
      }
      try folder.write(bytes, to: "wallet-\(round).dat")
      let records = try read(folder.path("wallet-\(round).dat"))
      #expect(records.findings.count == 1)
      if round < 20 { #expect(records.findings[0].isFaulty, "cut to \(bytes.count)") }
      #expect(records.files.count + records.secretFiles.count == 1)
    }
  }

  @Test(.enabled(if: ForeignFiles.core != nil, "python3-cryptography is not here"))
  func `a folder of wallets gives each under its own name`() throws {
    let made = try #require(ForeignFiles.core)
    let home = try TemporaryDirectory()
    for name in ["one", "two"] {
      try Directory.makePrivateDirectories(home.path("wallets/\(name)"))
      try home.open().openDirectory("wallets").openDirectory(name).writeWhole(
        made.read("plain.dat"), as: "wallet.dat", permissions: 0o600, replacing: false)
    }
    try home.write(Array("log".utf8), to: "debug.log")
    let records = try read(home.path)
    #expect(records.findings.map(\.name) == ["one", "two"])
    #expect(
      records.secretFiles.map { String(decoding: $0.path, as: UTF8.self) } == [
        "debug.log", "wallets/one/wallet.dat", "wallets/two/wallet.dat",
      ])
    #expect(records.isComplete)
  }

  // MARK: published wallets

  @Test(.enabled(if: isPublishedHere, "the published wallets are not here"))
  func `a published wallet is proved with its password, and shows its addresses without`() throws {
    let path = try #require(Fixtures.folder(Self.folder)) + "/bitcoincore-0.21.1-wallet.dat"
    let closed = try read(path)
    #expect(closed.findings.map(\.result) == [.notProved(.needsPassword)])
    let first = "bc1qt7vfgkxepask87kpghcsj3pwdglx68m0x8z8s4"
    #expect(closed.findings[0].detail == first)
    let wallet = try #require(closed.wallets.first)
    let network = try #require(BitcoinNetwork.named("bitcoin"))
    #expect(
      try wallet.descriptors.map { try Descriptor(parsing: $0).address(at: 0, network: network) } == [
        "1CqbqfVHhLocUNhTPkcRG9P3PLRCaHqtVD", "3EkvHR6EZkhtELKhK7MSz2EzZ4rp3AjyaG", first,
        "1KTh5PwpgWNWspxo8UhECZvBWKSKKu4iyb", "3AJ4xsByBUpp9dXRxB3Bn2YTM7gLezofKa",
        "bc1qk0mptzw08tr0r4v2zknjj0zp3ut08r6elc7alp",
      ])
    #expect(wallet.createdAt == 1_647_342_670_000_000)
    let opened = try read(path, ForeignFiles.asking(Self.publishedPassword))
    #expect(opened.findings.map(\.result) == [.proved(.publicKey)])
    #expect(opened.findings[0].detail == first && opened.files.count == 1 && opened.secretFiles.isEmpty)
    #expect(opened.files[0].format == "bitcoin-core-wallet" && opened.files[0].program == "bitcoin-core")
    #expect(try read(path, ForeignFiles.asking("x")).findings.map(\.result) == [.notProved(.wrongPassword)])
  }

  @Test(.enabled(if: isPublishedHere, "the published wallets are not here"))
  func `an old wallet is kept as it is, and the way on is said`() throws {
    let folder = try #require(Fixtures.folder(Self.folder))
    let records = try read("\(folder)/legacy-bdb-wallet.dat")
    #expect(records.findings.map(\.result) == [.notProved(.notRead)])
    #expect(records.files.count == 1 && records.secretFiles.isEmpty && records.wallets.isEmpty)
    #expect(records.problems.contains { $0.problem.contains("migratewallet") })
    let cut = try TemporaryDirectory()
    let bytes = try File.open("\(folder)/legacy-bdb-wallet.dat").readAll(limit: 1 << 20)
    try cut.write(Array(bytes.dropLast(8192)), to: "wallet.dat")
    #expect(try read(cut.path("wallet.dat")).findings.map(\.result) == [.faulty(.length)])
    var moved = bytes
    moved[8192 + 8] ^= 1
    try cut.write(moved, to: "moved.dat")
    #expect(try read(cut.path("moved.dat")).findings.map(\.result) == [.faulty(.malformed)])
    // An unencrypted key anywhere makes the file a secret.
    var clear = bytes
    clear.replaceSubrange(81_000..<81_005, with: [3] + Array("key".utf8) + [33])
    try cut.write(clear, to: "clear.dat")
    #expect(try read(cut.path("clear.dat")).secretFiles.count == 1)
  }

  @Test func `a file that is none of these is kept as a secret, and named`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("something".utf8), to: "wallet.dat")
    let records = try read(folder.path("wallet.dat"))
    #expect(records.findings.map(\.result) == [.faulty(.malformed)] && records.secretFiles.count == 1)
  }
}
