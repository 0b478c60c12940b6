import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

private func read(
  _ kind: String, _ path: String, password: String? = nil, secrets: Bool = true
) throws -> ImportedRecords {
  var request = CollectionRequest.forBackup
  request.includesPrivateKeys = secrets
  return try CollectorKind(named: kind).source(at: path, passphrase: password.map { ForeignFiles.asking($0) })
    .read(request)
}

private func secretContent(_ records: ImportedRecords) -> [UInt8] {
  records.secretFiles.flatMap { part in
    part.content.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}

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
    let records = try read("solana", path)
    #expect(try secretContent(records) == Fixtures.file("wallets/solana/\(sample.name)"))
    #expect(records.findings.map(\.result) == [.proved(.publicKey)] && records.files.isEmpty)
    #expect(records.findings.first?.detail == sample.address)
    #expect(records.wallets.map { PackedText.text($0.address) } == [sample.address])
    #expect(try CollectorKind.recognised(at: path)?.name == "solana")
    // Without the secret, only public data remains.
    let public_ = try read("solana", path, secrets: false)
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
    let records = try read("solana", folder.path)
    #expect(
      records.findings.map(\.result) == [
        .proved(.publicKey), .faulty(.secretDiffers), .faulty(.length), .faulty(.length),
      ])
    #expect(records.secretFiles.count == 4 && records.excluded.count == 2 && records.isComplete)
  }

  @Test(arguments: [
    "validator-keypair.json", "vote-account-keypair.json", "authorized-withdrawer-keypair.json", "id.json",
  ]) func `a validator's keys are a hazard`(_ name: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(try Self.text(Self.pair()), to: name)
    let records = try read("solana", folder.path)
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
    let records = try read("core-lightning", folder.path("hsm_secret"), password: password)
    return (records.findings.first, records)
  }

  @Test func `32 bytes in the clear give the node's id`() throws {
    let (finding, records) = try finding([UInt8](repeating: 7, count: 32))
    #expect(finding?.detail == Self.node && finding?.isInClear == true)
    #expect(secretContent(records) == [UInt8](repeating: 7, count: 32) && records.files.isEmpty)
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
    let records = try read("core-lightning", folder.path)
    #expect(records.findings.map(\.result) == [.notProved(.nothingToCompare), .proved(.opened)])
    #expect(records.findings.map(\.detail) == [Self.node, Self.node])
    #expect(records.files.map { [UInt8]($0.content) } == [recovery])
    #expect(records.excluded.map(\.what) == ["lightningd.sqlite3"])
    #expect(records.files.first?.extra.contains { $0.name == "hazards" } == true)
    let alone = try read("core-lightning", folder.path("emergency.recover"))
    #expect(alone.findings.map(\.result) == [.notProved(.needsSeed)])
  }

  @Test func `the answer of staticbackup is kept, and a truncated answer is faulty`() throws {
    let folder = try TemporaryDirectory()
    let text = #"{"scb": ["00ff11", "22aa"]}"#
    try folder.write([0xEF, 0xBB, 0xBF] + Array(text.utf8), to: "staticbackup.json")
    let records = try read("core-lightning", folder.path)
    #expect(records.findings.map(\.result) == [.notProved(.needsSeed)])
    #expect(records.findings.map(\.detail) == ["channels=2"])
    #expect(records.files.count == 1 && records.files[0].extra.contains { $0.name == "hazards" })
    #expect(try CollectorKind.recognised(at: folder.path("staticbackup.json"))?.name == "core-lightning")
    try folder.write(Array(text.utf8.dropLast(4)), to: "cut.json")
    let cut = try read("core-lightning", folder.path("cut.json"))
    #expect(cut.findings.map(\.result) == [.faulty(.malformed)] && cut.files.count == 1)
  }

  @Test(.enabled(if: Fixtures.folder("wallets/core-lightning") != nil, "the fixtures are not here"))
  func `the published secret`() throws {
    let bytes = try Fixtures.file("wallets/core-lightning/p2sh_wallet_hsm_secret")
    let (finding, _) = try finding(bytes)
    #expect(finding?.detail == "0266e4598d1d3c415f572a8488830b60f7e744ed9235eb0b1ba93283b315c03518")
  }
}

@Suite struct `LND's static channel backups` {
  private static let here = Fixtures.folder("wallets/lnd-scb") != nil
  private static let samples: [(name: String, entropy: String, outpoint: String, version: UInt8)] = [
    (
      "anchors", "95258d560769b4d595767b86cf466531",
      "b693017b60d52190b40eaedca9570fc04ee217f66dbbfd4311af799c5774d681:0", 3
    ), ("zero-conf-anchors-channel", "15e143a6d6169870c130759a5f733b88", "a2fa5dd3", 3),
    ("taproot", "a4ce87a01e04d101ce0e5dd7d60ca7e1", "2d79d9a5", 5),
  ]

  /// Returns a root key in the text form that an LND user would enter.
  private static func rootKey(_ entropy: [UInt8], _ prefix: [UInt8] = [0x04, 0x35, 0x83, 0x94]) throws
    -> String
  {
    let top = try ExtendedPrivateKey(seed: try SecretBytes(copying: entropy.span))
    let chain = try top.publicKey().chainCode
    let key = top.key.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    return Base58Check.encode(prefix + [UInt8](repeating: 0, count: 9) + chain + [0] + key)
  }

  @Test(.enabled(if: here, "the fixtures are not here"), arguments: samples)
  func `with the root key the channels are counted`(
    _ sample: (name: String, entropy: String, outpoint: String, version: UInt8)
  ) throws {
    let folder = try #require(Fixtures.folder("wallets/lnd-scb"))
    let path = "\(folder)/\(sample.name).backup"
    let closed = try read("lnd", path)
    #expect(closed.findings.map(\.result) == [.notProved(.needsSeed)])
    let file = try Fixtures.file("wallets/lnd-scb/\(sample.name).backup")
    #expect(closed.files.flatMap { [UInt8]($0.content) } == file)
    #expect(closed.files.first?.extra.contains { $0.name == "hazards" } == true)
    let root = try Self.rootKey(try #require(Hex.decode(sample.entropy)))
    let open = try read("lnd", path, password: " \(root)\n")
    #expect(
      open.findings.map(\.result) == [.publicPart(.opened)]
        && open.findings.first?.detail == "channels=1")
    let wrong = try read("lnd", path, password: try Self.rootKey([UInt8](repeating: 1, count: 16)))
    #expect(wrong.findings.map(\.result) == [.notProved(.wrongPassword)])
    let noKey = try read("lnd", path, password: "El Psy Kongroo")
    #expect(noKey.findings.map(\.result) == [.notProved(.wrongPassword)])
    let key = try ChannelBackup.key(below: try .of(root), isTest: true)
    let plain = try #require(try ChannelBackup.open(file.span, key: key))
    let channel = try #require(try BackedUpChannels(reading: plain).channels.first)
    #expect(channel.outpoint.hasPrefix(sample.outpoint) && channel.version == sample.version)
    #expect(channel.hasCloseInputs && channel.capacity == 10_000_000)
    // Whatever is removed or added, parsing fails.
    for count in 0..<plain.count {
      #expect(throws: BackedUpChannels.Problem.self) { try BackedUpChannels(reading: Array(plain[..<count])) }
    }
    #expect(throws: BackedUpChannels.Problem.trailing) { try BackedUpChannels(reading: plain + [0]) }
  }

  @Test(.enabled(if: here, "the fixtures are not here")) func `a file of an unknown seed is kept`() throws {
    let folder = try #require(Fixtures.folder("wallets/lnd-scb"))
    let records = try read("lnd", "\(folder)/docs-simnet-unknown-seed.backup")
    #expect(records.findings.map(\.result) == [.notProved(.needsSeed)] && records.files.first?.total == 381)
  }

  @Test func `an empty backup has no channels, and a shorter file is none`() throws {
    let folder = try TemporaryDirectory()
    let entropy = [UInt8](repeating: 3, count: 16)
    let root = try Self.rootKey(entropy, [0x04, 0x88, 0xad, 0xe4])
    let key = try ChannelBackup.key(below: try .of(root), isTest: false)
    let nonce = [UInt8](repeating: 5, count: 24)
    let sealed = try XChaCha20Poly1305.seal(
      [0, 0, 0, 0, 0].span, key: key, nonce: nonce, additionalData: nonce)
    try folder.write(nonce + sealed, to: "channel.backup")
    let records = try read("lnd", folder.path, password: root)
    #expect(records.findings.map(\.detail) == ["channels=0"] && records.files.first?.total == 45)
    try folder.write([UInt8](repeating: 7, count: 44), to: "channel-cut.backup")
    try folder.write([1], to: "channel.db")
    let both = try read("lnd", folder.path)
    #expect(both.findings.map(\.result) == [.faulty(.length), .notProved(.needsSeed)])
    #expect(both.files.count == 2 && both.excluded.map(\.what) == ["channel.db"])
  }

  /// Returns one channel of a backup, with generated keys.
  private static func channel(_ version: UInt8 = 1) throws -> [UInt8] {
    let points = try (1...7).map { try SamplePolynomial.point(of: padded($0), on: .secp256k1) }
    let chain = try #require(
      Hex.decode("6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000"))
    var body: [UInt8] = [1] + chain + [UInt8](repeating: 0xAB, count: 32) + [0, 1]
    body += [0, 0, 1, 0, 0, 2, 0, 3] + points[0] + [0, 0]
    body += [0, 0, 0, 0, 0, 0x98, 0x96, 0x80] + [0, 4] + [UInt8](repeating: 0, count: 40) + [0, 4]
    body += points[1...5].flatMap(\.self) + points[6] + [UInt8](repeating: 0, count: 8)
    return [version, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
  }

  @Test func `the export of one channel is opened as such, as bytes and as lncli prints it`() throws {
    let root = try Self.rootKey([UInt8](repeating: 3, count: 16), [0x04, 0x88, 0xad, 0xe4])
    let key = try ChannelBackup.key(below: try .of(root), isTest: false)
    func sealed(_ plain: [UInt8]) throws -> [UInt8] {
      let nonce = [UInt8](repeating: 5, count: 24)
      return nonce
        + (try XChaCha20Poly1305.seal(plain.span, key: key, nonce: nonce, additionalData: nonce))
    }
    let one = try Self.channel()
    let printed = try #"{"chan_point":"ab:1","chan_backup":"\#(Hex.encode(sealed(one)))"}"#
    let all = try
      #"{"chan_points":["ab:1"],"multi_chan_backup":"\#(Hex.encode(sealed([0, 0, 0, 0, 1] + one)))"}"#
    let files = try [
      ("channel-one.backup", sealed(one)), ("one.json", Array(printed.utf8)), ("two.json", Array(all.utf8)),
    ]
    let folder = try TemporaryDirectory()
    for (name, bytes) in files { try folder.write(bytes, to: name) }
    try folder.write(Array("{}".utf8), to: "other.json")
    let opened = try read("lnd", folder.path, password: root)
    #expect(
      opened.findings.map(\.result) == [WalletFinding.Result](repeating: .publicPart(.opened), count: 3))
    #expect(opened.findings.map(\.detail) == ["channels=1", "channels=1", "channels=1"])
    #expect(opened.files.count == 3 && opened.excluded.map(\.what) == ["other.json"])
    #expect(opened.files.allSatisfy { $0.extra.contains { $0.name == "hazards" } })
    #expect(try read("lnd", folder.path("one.json")).findings.map(\.result) == [.notProved(.needsSeed)])
    #expect(try CollectorKind.recognised(at: folder.path("one.json"))?.name == "lnd")
    let whole = try sealed([0, 0, 0, 0, 1] + one)
    let base64 = Data(whole).base64EncodedString()
    let answer =
      #"{"single_chan_backups":{"chan_backups":[{"chan_point":{"output_index":1},"chan_backup":"AAAA"}]},"#
      + #""multi_chan_backup":{"chan_points":[{"output_index":1}],"multi_chan_backup":"\#(base64)"}}"#
    let saved = try TemporaryDirectory()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let digits = mark + Array(Hex.encode(whole).utf8)
    let line = Array("\(base64)\r\n".utf8)
    try saved.write(Array(answer.utf8), to: "channel-all.bak")
    try saved.write(mark + Array(answer.utf8), to: "channel-all (1).bak")
    try saved.write(digits, to: "channel-hex.bak")
    try saved.write(line, to: "channel.backup")
    let pages = try read("lnd", saved.path, password: root)
    #expect(pages.findings.map(\.result) == [WalletFinding.Result](repeating: .publicPart(.opened), count: 4))
    #expect(pages.findings.allSatisfy { $0.detail == "channels=1" } && pages.files.count == 4)
    for count in 0..<one.count {
      #expect(throws: BackedUpChannels.Problem.self) {
        try BackedUpChannels(readingAny: Array(one[..<count]))
      }
    }
    #expect(throws: BackedUpChannels.Problem.self) { try BackedUpChannels(readingAny: one + [0]) }
    try folder.write(Array(printed.utf8.dropLast(4)), to: "cut.json")
    #expect(try read("lnd", folder.path("cut.json")).findings.map(\.result) == [.faulty(.malformed)])
  }
}
