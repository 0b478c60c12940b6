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
    request.includesPrivateKeys = clear
    return try CollectorKind(named: "bitcoin-core").source(at: path, passphrase: passphrase).read(request)
      .holdingFiles()
  }

  private func addresses() throws -> JSONDocument {
    let made = try #require(ForeignFiles.core)
    return try JSONDocument(made.read("addresses.json"), limit: 1 << 16)
  }

  /// The first key of BIP32's test vectors, private and public.
  private static let key = (
    private:
      "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
    public:
      "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8"
  )

  /// Reads a listing of one descriptor without checksum.
  private func read(listing desc: String) throws -> ImportedRecords {
    let checksum = try #require(DescriptorChecksum.of(desc))
    let text =
      "{\"wallet_name\":\"alt 🗝\",\"descriptors\":[{\"desc\":\"\(desc)#\(checksum)\",\"timestamp\":1,\"active\":false,\"range\":[0,1000],\"next\":7,\"next_index\":7}]}"
    let folder = try TemporaryDirectory()
    try folder.write([0xEF, 0xBB, 0xBF] + Array(text.utf8), to: "listed.json")
    return try read(folder.path("listed.json"))
  }

  /// As `migratewallet` leaves a wallet from before 2021: its keys are hardened down to the last step.
  @Test(arguments: ["/0h/0h/*h", "/0'/0'/*'"]) func `a migrated wallet's listing is whole`(
    _ steps: String
  ) throws {
    let records = try read(listing: "combo(\(Self.key.private)\(steps))")
    #expect(records.findings.map(\.result) == [.proved(.wholeness)])
    #expect(records.findings.first?.name == "alt 🗝" && records.secretFiles.count == 1)
    let shown = try #require(records.wallets.first?.descriptors.first)
    #expect(shown.hasPrefix("combo([3442193e") && shown.contains("]xpub") && !shown.contains("xprv"))
    #expect(shown.contains(steps.hasSuffix("'") ? "/*'" : "/*h"))
    #expect(records.privateKeys.count == 1)
  }

  @Test(arguments: ["", "[deadbeef/44h]"], ["/*h", "/*'"])
  func `a hardened star right behind the key leaves its origin as it is`(
    _ origin: String, _ steps: String
  ) throws {
    let records = try read(listing: "combo(\(origin)\(Self.key.private)\(steps))")
    #expect(records.findings.map(\.result) == [.proved(.wholeness)])
    let shown = try #require(records.wallets.first?.descriptors.first)
    #expect(shown.hasPrefix("combo(\(origin)\(Self.key.public)\(steps))#"), "\(shown)")
    #expect(records.privateKeys.count == 1 && records.secretFiles.count == 1)
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
    ("listed-private.json", nil, .proved(.wholeness), true),
    ("listed-public.json", nil, .publicPart(.wholeness), false),
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
    let listed = try read(made.path("listed-private.json"))
    #expect(listed.findings.first?.detail == known.member("bitcoin")?.string)
    #expect(listed.findings.first?.name == "listed")
    let open = try read(made.path("listed-public.json"))
    let kept = try #require(try read(made.path("plain.dat")).wallets.first).descriptors
    #expect(listed.wallets.first?.descriptors.map(Self.spelled) == kept.map(Self.spelled))
    #expect(
      open.wallets.first?.descriptors.map(Self.spelled) == listed.wallets.first?.descriptors.map(Self.spelled)
    )
    #expect(listed.privateKeys.map(\.kind) == ["extended-private-key"] && open.privateKeys.isEmpty)
  }

  /// Returns the text without its checksum, and with one notation for hardened steps.
  private static func spelled(_ text: String) -> String {
    String(text.split(separator: "#")[0]).replacing("'", with: "h")
  }

  @Test(.enabled(if: ForeignFiles.core != nil, "python3-cryptography is not here"))
  func `what holds keys in the clear stays out where secrets do, and is then not the money`() throws {
    let made = try #require(ForeignFiles.core)
    for name in ["plain.dat", "listed-private.json"] {
      let records = try read(made.path(name), clear: false)
      #expect(records.secretFiles.isEmpty && records.files.isEmpty && records.privateKeys.isEmpty)
      #expect(records.findings.map(\.result) == [.withoutSeed] && !records.isComplete)
    }
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
        "wallets/one/wallet.dat", "wallets/two/wallet.dat",
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
  func `a published listing with private keys gives its addresses`() throws {
    let path = try #require(Fixtures.folder(Self.folder)) + "/listdescriptors-private.json"
    let records = try read(path)
    #expect(
      records.findings.map(\.result) == [.proved(.wholeness)]
        && records.findings[0].name == "wallet-desc-full")
    let network = try #require(BitcoinNetwork.named("bitcoin"))
    let texts = try #require(records.wallets.first?.descriptors)
    #expect(texts.allSatisfy { $0.contains("[9c1d8530/") && !$0.contains("prv") })
    #expect(
      try texts.map { try Descriptor(parsing: $0).address(at: 0, network: network) } == [
        "1D1WoAgUCnV6p7m4TmwfoNCDpKRHCEQB4h", "3BfdSUSEkGWvQ7UzdkVJQQe6H8ACnhqYEo",
        "bc1q8zuhf79ue9057su5k4y9c5tlgpvdtr5c2vsnlr",
        "bc1p9w03vw6spkz29e8d7azu3cg2zl0hzehe9c6q0v98eqqxadu83daq970w7q",
        "1LKHu1VNj948LCwtG57muZsTunrwZzdy16", "3HZzTVEzvcHQG9tFw6AzJT4WkBA9C3H7NQ",
        "bc1q8e29pxumvj9tx56jgkglwvdf2m2pqnkcetua23",
        "bc1pfnz6dyq03e6l7dk4v3t8zftfy2zjanu26h0f30y7cj9eae9fg6gsfu957p",
      ])
    #expect(records.privateKeys.count == 1 && records.secretFiles.count == 1)
    #expect(try read(path, clear: false).findings.map(\.result) == [.withoutSeed])
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
