import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Collectors' assessments of backups.
struct WorthTests {
  private static var backup: CollectionRequest {
    var request = CollectionRequest(includesPrivateKeys: true)
    request.isForBackup = true
    return request
  }

  private func electrum(
    _ bytes: [UInt8], _ passphrase: SourcePassphrase? = nil, _ request: CollectionRequest = backup
  ) throws -> [WalletFinding] {
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "wallet")
    return try CollectorKind(named: "electrum").source(at: folder.path, passphrase: passphrase).read(request)
      .holdingFiles()
      .findings
  }

  @Test func `an encrypted wallet of Electrum is proved up to its address, with its passphrase`() throws {
    let bytes = Array(ElectrumSample.whole.utf8)
    let opened = try electrum(bytes, ForeignFiles.asking())
    #expect(opened.map(\.result) == [.proved(.address)])
    #expect(opened.map(\.detail) == [ElectrumSample.address])
    #expect(try electrum(bytes).map(\.result) == [.notProved(.needsPassword)])
    let wrong = try electrum(bytes, ForeignFiles.asking("password 1"))
    #expect(wrong.map(\.result) == [.notProved(.wrongPassword)])
  }

  @Test func `a wrong passphrase and a damaged wallet keep no other out of a backup`() throws {
    let folder = try TemporaryDirectory()
    let whole = Array(ElectrumSample.whole.utf8)
    try folder.write(whole, to: "a")
    try folder.write(Array(whole.prefix(301)), to: "b")
    try folder.write(Array(#"{"seed_version": 60, "wallet_type"#.utf8), to: "c")
    try folder.write(Array(#"{"no": "wallet"}"#.utf8), to: "d")
    let records = try CollectorKind(named: "electrum").source(
      at: folder.path, passphrase: ForeignFiles.asking()
    ).read(
      Self.backup
    ).holdingFiles()
    #expect(records.files.map { String(decoding: $0.path, as: UTF8.self) } == ["a", "b"])
    // "d" is no wallet, and is kept all the same.
    #expect(records.secretFiles.map { String(decoding: $0.path, as: UTF8.self) } == ["c", "d"])
    #expect(records.findings.map(\.name) == ["a", "b", "c"])
    #expect(records.findings.map(\.result.verdict).first == "proved")
    #expect(records.findings.last?.result == .faulty(.malformed))
  }

  /// Returns a multisig wallet.
  ///
  /// The first signer has the sample's seed phrase, and the key derived from it at `step`.
  private static func shared(_ type: String, step: UInt32 = 1, secrets: String? = nil) throws -> [UInt8] {
    let words = try SecretBytes(copying: Array(ElectrumSample.seed.utf8).span)
    let salt = try SecretBytes(copying: Array("electrum".utf8).span)
    let seed = try PBKDF2.derive(from: words, salt: salt, iterations: 2048, count: 64, hash: .sha512)
    let top = try ExtendedPrivateKey(seed: seed)
    let version = try #require(ExtendedKeyVersion.all.first { $0.name == "Zpub" })
    func key(_ step: UInt32) throws -> String {
      try top.child(DerivationStep(number: DerivationStep.hardenedBase + step)).publicKey().text(as: version)
    }
    let seeds = secrets ?? "\"seed\": \"\(ElectrumSample.seed)\", \"seed_type\": \"segwit\","
    return try Array(
      """
      {"seed_version": 60, "wallet_type": "\(type)", "use_encryption": false,
      "x1/": {"type": "bip32", "derivation": "m/1'", \(seeds) "xpub": "\(key(step))"},
      "x2/": {"type": "bip32", "derivation": "m/1'", "xpub": "\(key(7))"}}
      """.utf8)
  }

  @Test func `a signer's seed phrase of a wallet of several is proved where Electrum derives it`() throws {
    // The phrase matches its key, and other signers are needed.
    for type in ["2of2", "2of3"] {
      #expect(try electrum(Self.shared(type)).map(\.result) == [.notProved(.needsOtherParties)], "\(type)")
    }
    #expect(try electrum(Self.shared("2of2", step: 2)).map(\.result) == [.faulty(.secretDiffers)])
    // A single signer derives it elsewhere.
    #expect(try electrum(Self.shared("2of2", step: 0)).map(\.result) == [.faulty(.secretDiffers)])
    #expect(try electrum(Self.shared("2of2", secrets: "")).map(\.result) == [.publicPart()])
  }

  @Test func `a signer's secret beside a device is a part, and not public`() throws {
    let text = String(decoding: try Self.shared("2of2"), as: UTF8.self)
    let mark = "\"x2/\": {\"type\": \"bip32\""
    let device = text.replacing(mark, with: "\"x2/\": {\"type\": \"hardware\"")
    try #require(device != text)
    #expect(try electrum(Array(device.utf8)).map(\.result) == [.notProved(.needsOtherParties)])
  }

  @Test func `a device's file and a wallet without secrets are the public part only`() throws {
    #expect(try electrum(Array("QklFMgAAAAAA".utf8)).map(\.result) == [.publicPart()])
    let watching =
      #"{"seed_version": 60, "wallet_type": "standard", "keystore": {"type": "bip32", "xpub": ""}}"#
    #expect(try electrum(Array(watching.utf8)).map(\.result) == [.publicPart()])
  }

  private static let samples = "\(SourceTree.path)/../shared/fixtures/electrum"
  private static let names =
    ((try? Directory.open(samples).list().compactMap(\.text)) ?? []).filter { $0.hasPrefix("client") }

  @Test(.enabled(if: !names.isEmpty, "the fixtures of Electrum are not here"), arguments: names)
  func `no wallet that Electrum made is called unsound`(_ name: String) throws {
    let bytes = try File.open("\(Self.samples)/\(name)").readAll(limit: 32 << 20)
    let results = try electrum(bytes).map(\.result)
    #expect(results.count == 1 && !results.contains { $0.verdict == "faulty" }, "\(results)")
  }

  // MARK: keystores

  private func keystore(_ text: String, _ password: String?) throws -> WalletFinding.Result? {
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "UTC--key")
    let passphrase = password.map { ForeignFiles.asking($0) }
    return try CollectorKind(named: "keystore").source(at: folder.path, passphrase: passphrase).read(
      Self.backup
    ).holdingFiles().findings.first?
    .result
  }

  /// Returns the example of the Web3 Secret Storage definition, with few rounds and its key's address.
  private static func example(address: String) -> String {
    """
    {"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},
    "ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46","kdf":"pbkdf2",
    "kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256",
    "salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},
    "mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},
    "address":"\(address)","version":3}
    """
  }

  @Test func `a keystore is proved by its address, and another address is a fault`() throws {
    let own = Self.example(address: "008aeeda4d805471df9b2a5b0f38a0c3bcba786b")
    #expect(try keystore(own, "testpassword") == .proved(.address))
    #expect(try keystore(own, nil) == .notProved(.needsPassword))
    #expect(try keystore(own, "another") == .notProved(.wrongPassword))
    let other = Self.example(address: "108aeeda4d805471df9b2a5b0f38a0c3bcba786b")
    #expect(try keystore(other, "testpassword") == .faulty(.otherAddress))
    #expect(try keystore(String(own.prefix(300)), nil) == .faulty(.malformed))
  }

  @Test(arguments: [("aes-128-ctr", "aes-256-gcm"), ("pbkdf2", "argon2id"), ("hmac-sha256", "hmac-sha512")])
  func `a keystore of an unknown scheme is not proved`(_ known: String, _ other: String) throws {
    let text = Self.example(address: "008aeeda4d805471df9b2a5b0f38a0c3bcba786b").replacing(known, with: other)
    #expect(try keystore(text, nil) == .notProved(.unknownScheme))
    #expect(try keystore(text, "testpassword") == .notProved(.unknownScheme))
  }

  @Test func `a keystore that leaves out its cipher's name is faulty`() throws {
    let own = Self.example(address: "008aeeda4d805471df9b2a5b0f38a0c3bcba786b")
    #expect(try keystore(own.replacing("\"cipher\"", with: "\"other\""), nil) == .faulty(.malformed))
  }
}
