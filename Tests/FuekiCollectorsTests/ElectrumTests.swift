import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct `Wallet files of Electrum` {
  private static let whole = CollectionRequest(includesPrivateKeys: true)

  private func read(
    _ text: String, _ passphrase: SourcePassphrase? = ForeignFiles.asking()
  ) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "wallet")
    let path = folder.path("wallet")
    #expect(try CollectorKind.recognised(at: path)?.name == "electrum")
    return try CollectorKind(named: "electrum").source(at: path, passphrase: passphrase).read(Self.whole)
      .holdingFiles()
  }

  @Test func `a file that is encrypted as a whole is opened, and kept as it is`() throws {
    let records = try read(ElectrumSample.whole)
    let secrets = records.secretTexts
    #expect(secrets["electrum-seed"] == ElectrumSample.seed)
    #expect(secrets["extended-private-key"]?.contains(ElectrumSample.privateKey) == true)
    #expect(records.secretFiles.isEmpty && records.files.count == 1)
    #expect(records.files[0].content.count == ElectrumSample.whole.utf8.count)
    let wallet = try #require(records.wallets.first)
    #expect(PackedText.text(wallet.address) == ElectrumSample.address)
    #expect(wallet.chainID == "bitcoin-regtest" && wallet.kind == "hot" && wallet.hazards.isEmpty)
    #expect(records.contacts.map(\.name) == ["Bob"])
    #expect(records.settings.map(\.key) == ["label.addr.\(ElectrumSample.address)"])
    #expect(records.settings[0].value.contains("Miete für März"))
    #expect(wallet.extra.contains { $0.name == "frozen_addresses" })
    #expect(records.problems.contains { $0.problem.contains("freeze nothing") })
  }

  /// Files are read by name, and a watch-only copy may precede the wallet with the seed.
  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `of two files of one wallet every secret is taken, whichever comes first`(names: [String]) throws {
    func file(_ secrets: String) -> [UInt8] {
      Array(
        """
        {"seed_version": 60, "wallet_type": "standard", "use_encryption": false, "keystore": {"type": "bip32",
        "derivation": "m/0h", \(secrets) "xpub":
        "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"}}
        """.utf8)
    }
    let folder = try TemporaryDirectory()
    try folder.write(file(""), to: names[0])
    try folder.write(file("\"seed\": \"\(ElectrumSample.seed)\","), to: names[1])
    let records = try CollectorKind(named: "electrum").source(at: folder.path).read(Self.whole).holdingFiles()
    #expect(records.wallets.map(\.kind) == ["hot"])
    #expect(records.secretTexts["electrum-seed"] == ElectrumSample.seed)
    #expect(records.privateKeys.count == 1 && records.files.count == 1 && records.secretFiles.count == 1)
  }

  @Test func `its descriptors are of the addresses that it has`() throws {
    let wallet = try #require(try read(ElectrumSample.whole).wallets.first)
    let descriptor = try Descriptor(parsing: try #require(wallet.descriptors.first))
    #expect(try descriptor.address(at: 0, network: try #require(.named("regtest"))) == ElectrumSample.address)
  }

  @Test func `without a place to ask an encrypted file is kept and not opened`() throws {
    let records = try read(ElectrumSample.whole, nil)
    #expect(records.wallets.isEmpty && records.files.count == 1 && records.isComplete)
    #expect(records.excluded.map(\.what) == ["wallet"])
  }

  @Test func `another passphrase is said to be wrong`() throws {
    #expect(throws: ForeignFileError.wrongPassphrase(file: "wallet")) {
      try read(ElectrumSample.whole, ForeignFiles.asking("password 1"))
    }
  }

  @Test func `an encrypted file that is cut or altered is refused`() throws {
    for count in stride(from: 8, to: ElectrumSample.whole.utf8.count, by: 97) {
      let cut = String(ElectrumSample.whole.prefix(count))
      #expect(throws: ForeignFileError.self) { try read(cut) }
    }
  }

  @Test func `a file that only a device opens is kept`() throws {
    let records = try read("QklFMgAAAAAA")
    #expect(records.wallets.isEmpty && records.files.count == 1 && records.isComplete)
  }

  // MARK: spellings

  private static let python = """
    {'seed_version': 4, 'use_encryption': False, 'seed': '0123456789abcdef0123456789abcdef',
     'master_public_key': 'aa', 'accounts': {0: {0: ['11'], 1: []}}, 'labels': {'1BoatSLRHtKNngkdXEeobR76b53LETtpyT':
     u'caf\\xe9', '1Q': 'z\\xc3\\xbc\\'"\\n'}, 'gap_limit': 5L, 'contacts': ('x', None, True, -1.5,),
     'addr_history': {'1BoatSLRHtKNngkdXEeobR76b53LETtpyT': [('ab', 12)]}}
    """

  @Test func `Python literals of version 1 are read`() throws {
    let records = try read(Self.python)
    #expect(records.secretTexts == ["electrum-old-seed": "0123456789abcdef0123456789abcdef"])
    #expect(records.secretFiles.count == 1 && records.files.isEmpty)
    #expect(records.wallets[0].gapLimit == 5)
    #expect(records.settings.contains { $0.value.contains("café") })
    #expect(records.settings.contains { $0.value.contains(#"zü'\"\u000a"#) })
  }

  @Test(arguments: [
    "{'a': __import__('os')}", "{'a': 1", "{'a': 'b}", "{'a': 1} x", "{(1, 2): 3}", "{'a': '\\q'}",
    "{'a': '\\xZZ'}",
    "{'a': 1 + 1}", "", "'", "{,}", "[1,,2]",
  ])
  func `what is more than a literal is refused`(text: String) throws {
    #expect(throws: PythonLiteral.Problem.self) { try PythonLiteral.json(Array(text.utf8).span).count }
  }

  @Test func `deep nesting is refused`() throws {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: PythonLiteral.Problem.self) { try PythonLiteral.json(Array(text.utf8).span).count }
  }

  @Test func `a literal becomes the JSON that says the same`() throws {
    let json = try PythonLiteral.json(Array("{1: ('a\\u00e9', None), -2: [True, 3L,]}".utf8).span)
    #expect(json.text() == #"{"1":["aé",null],"-2":[true,3]}"#)
  }

  private static let base =
    #"{"seed_version": 60, "wallet_type": "standard", "labels": {"a": "1"}, "invoices": [1, 2]}"#

  @Test func `appended changes are applied in order`() throws {
    let records = try read(
      Self.base + """
        ,
        {"op": "add", "path": "/labels/b~1c", "value": "2"},
        {"op": "replace", "path": "/labels/a", "value": "3"},
        {"op": "add", "path": "/labels/d", "value": "4"},
        {"op": "remove", "path": "/labels/d"},
        {"op": "add", "path": "/invoices/0", "value": {"x": 1}},
        {"op": "remove", "path": "/invoices/2"},
        """)
    #expect(records.settings.map(\.key).sorted() == ["label.addr.a", "label.addr.b/c"])
    #expect(records.settings.contains { $0.value.contains("\"3\"") })
    #expect(records.wallets[0].extra.first { $0.name == "invoices" }?.json == #"[{"x": 1}, 1]"#)
    #expect(records.problems.isEmpty)
  }

  @Test func `a change that was cut off is left out and said`() throws {
    let records = try read(
      Self.base + ",\n" + #"{"op": "add", "path": "/labels/b", "value": "2"},"# + "\n" + #"{"op": "add", "pa"#
    )
    #expect(records.settings.map(\.key).sorted() == ["label.addr.a", "label.addr.b"])
    #expect(records.problems.contains { $0.problem.contains("cut off") })
  }

  @Test func `changes that do not fit are said`() throws {
    let records = try read(
      Self.base + ",\n"
        + #"{"op": "remove", "path": "/none/x"},{"op": "test", "path": "/labels", "value": 1}"#)
    #expect(records.problems.contains { $0.problem.hasPrefix("wallet: 2 of its") })
  }

  // MARK: content

  @Test func `channels are a hazard, and history adds up`() throws {
    let records = try read(
      """
      {"seed_version": 60, "wallet_type": "standard", "channels": {"x": {}}, "stored_height": 100,
       "addresses": {"receiving": ["\(ElectrumSample.address)"], "change": []},
       "addr_history": {"\(ElectrumSample.address)": [["aa", 99], ["bb", 0]]},
       "transactions": {"aa": "00", "bb": "00"}, "verified_tx3": {"aa": [99, 1700000000, 1, "h"]},
       "txo": {"aa": {"\(ElectrumSample.address)": {"0": [5000, false]}}, "bb": {"q": [[1, 1000, false]]}},
       "txi": {"bb": {"\(ElectrumSample.address)": {"aa:0": 5000}}}, "tx_fees": {"bb": [200, true, 1]},
       "labels": {"\(String(repeating: "a", count: 64))": "x"}}
      """)
    let wallet = records.wallets[0]
    #expect(wallet.hazards == ["lightning"] && wallet.lastSynced.height == 100)
    #expect(wallet.keychains.first?.lastUsed == 0)
    #expect(records.problems.contains { $0.problem.contains("cannot be recovered") })
    #expect(records.transactions.map(\.amount) == ["5000", "3800"])
    #expect(records.transactions.map(\.status) == ["confirmed", "pending"])
    #expect(records.transactions[0].timestamp == 1_700_000_000_000_000)
    #expect(records.settings.map(\.key) == ["label.tx.\(String(repeating: "a", count: 64))"])
  }

  @Test(arguments: ["4": 0, "71": 0, "72": 1, "-1": 1])
  func `a version that is not known is said so, and the file is kept`(version: String, count: Int) throws {
    let records = try read(#"{"seed_version": \#(version), "wallet_type": "standard", "labels": {"a": "1"}}"#)
    #expect(records.problems.count { $0.problem.contains("are known here") } == count)
    #expect(records.wallets.count == 1 && records.files.count == 1)
  }

  @Test func `a file with numbers beyond all bounds is read without trapping`() throws {
    let huge = "99999999999999999999999"
    let records = try read(
      """
      {"seed_version": \(huge), "wallet_type": "99of99", "stored_height": -1, "gap_limit": \(huge),
       "txo": {"aa": {"q": {"0": [9223372036854775807], "1": [9223372036854775807], "2": [-1], "3": \(huge)}}},
       "txi": {"aa": {"q": [[], [1], [0, -9223372036854775808]]}, "bb": {"q": {"0": 5000}}},
       "tx_fees": {"aa": [-9223372036854775808], "bb": [-9223372036854775808]}}
      """)
    #expect(records.transactions.count == 2)
    #expect(records.transactions[1].amount == "5000" && !records.transactions[1].hasFee)
  }

  @Test(
    .enabled(if: Fixtures.folder("electrum") != nil, "the fixtures are not here"))
  func `files of every version are read`() throws {
    let folder = try #require(Fixtures.folder("electrum"))
    for entry in try Directory.open(folder).list() where entry.text?.hasPrefix("client_") == true {
      let name = try #require(entry.text)
      let records = try CollectorKind(named: "electrum").source(at: "\(folder)/\(name)").read(Self.whole)
        .holdingFiles()
      #expect(records.wallets.count == 1, "\(name)")
      #expect(records.isComplete, "\(name)")
      #expect(records.files.count + records.secretFiles.count == 1, "\(name)")
      if name.contains("seeded") || name.contains("importedkeys") {
        #expect(!records.privateKeys.isEmpty && records.wallets[0].kind == "hot", "\(name)")
      } else if name.contains("watchaddresses") || name.contains("trezor") || name.contains("ledger") {
        #expect(records.privateKeys.isEmpty && records.secretFiles.isEmpty, "\(name)")
      }
      if name.contains("htlcs") { #expect(records.wallets[0].hazards == ["lightning"]) }
      if name.contains("realistic_history") { #expect(records.transactions.count == 21) }
    }
  }
}

@Suite(.enabled(if: ForeignFiles.electrum != nil, Comment(rawValue: ForeignFiles.electrumReason)))
struct `Wallet files that Electrum makes here` {
  @Test(arguments: ["plain", "fields", "whole", "phrase", "watching", "multisig"])
  func `each is opened, and its first address is its descriptor's`(name: String) throws {
    let folder = try #require(ForeignFiles.electrum)
    let source = try CollectorKind(named: "electrum").source(
      at: folder.path(name), passphrase: ForeignFiles.asking())
    let records = try source.read(CollectionRequest(includesPrivateKeys: true)).holdingFiles()
    let wallet = try #require(records.wallets.first)
    let descriptor = try Descriptor(parsing: try #require(wallet.descriptors.first))
    let network = try #require(BitcoinNetwork.named("regtest"))
    #expect(try descriptor.address(at: 0, network: network) == PackedText.text(wallet.address))
    let secrets = records.secretTexts
    switch name {
    case "watching": #expect(secrets.isEmpty && records.secretFiles.isEmpty)
    case "multisig": #expect(secrets["electrum-seed"]?.contains(ElectrumSample.seed) == true)
    default: #expect(secrets["electrum-seed"] == ElectrumSample.seed)
    }
    if name == "phrase" { #expect(secrets["seed-phrase-passphrase"] == "extra words") }
  }
}
