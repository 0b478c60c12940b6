import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// An EIP-2335 keystore with the password "testpassword" and a cheap key derivation.
private enum Keystore {
  static let publicKey =
    "9612d7a727c9d0a22e185a1c768478dfe919cada9266988cb32359c11f2b7b27f4ae4040902382ae2910c15e2b420d07"

  /// Returns the standard's example with one round of PBKDF2.
  static func text(publicKey: String? = publicKey, password: String = "testpassword") throws -> String {
    let salt = [UInt8](repeating: 7, count: 32)
    let key = try PBKDF2.derive(
      from: try .of(password), salt: SecretBytes(copying: salt.span), iterations: 1, count: 32)
    let secret = try #require(Hex.decode("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"))
    let counter = [UInt8](repeating: 9, count: 16)
    // Counter mode encrypts and decrypts in the same way.
    let sealed = try AESCipher.applyCTR(secret.span, key: key.copy(0..<16), vector: counter)
      .withBytes { bytes in bytes.indices.map { bytes[$0] } }
    let half = key.withBytes { bytes in (16..<32).map { bytes[$0] } }
    let named = publicKey.map { #""pubkey": "\#($0)","# } ?? ""
    return """
      {"crypto": {"kdf": {"function": "pbkdf2", "params": {"dklen": 32, "c": 1, "prf": "hmac-sha256",
      "salt": "\(Hex.encode(salt))"}, "message": ""}, "checksum": {"function": "sha256", "params": {},
      "message": "\(SHA256.hash(half, sealed).hex)"}, "cipher": {"function": "aes-128-ctr",
      "params": {"iv": "\(Hex.encode(counter))"}, "message": "\(Hex.encode(sealed))"}}, \(named)
      "path": "", "version": 4}
      """
  }
}

private func read(_ kind: String, _ path: String, password: String? = nil) throws -> ImportedRecords {
  try CollectorKind(named: kind).source(at: path, passphrase: password.map { ForeignFiles.asking($0) })
    .read(.wholeBackup).holdingFiles()
}

private func content(_ records: ImportedRecords) -> [UInt8] { records.files.flatMap { [UInt8]($0.content) } }

@Suite struct `Validators' keystores` {
  private static let here = Fixtures.folder("wallets/eip2335") != nil

  @Test func `a password that is not text does not open a keystore, and does not stop its backup`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(try Keystore.text().utf8), to: "keystore.json")
    let latin: [UInt8] = Array("mot".utf8) + [0xF6] + Array("rhead".utf8)
    let asked = SourcePassphrase { SharedSecret(try SecretBytes(copying: latin.span)) }
    let records = try CollectorKind(named: "eip2335").source(
      at: folder.path("keystore.json"), passphrase: asked
    ).read(.wholeBackup).holdingFiles()
    #expect(records.findings.map(\.result) == [.notProved(.wrongPassword)])
    #expect(records.files.count == 1)
  }

  @Test(arguments: [
    (nil, WalletFinding.Result.notProved(.needsPassword)), ("testpassword", .proved(.publicKey)),
    ("test\u{7}password", .proved(.publicKey)), ("testpasswor", .notProved(.wrongPassword)),
  ]) func `what is proved hangs on the password`(_ given: (password: String?, result: WalletFinding.Result))
    throws
  {
    let folder = try TemporaryDirectory()
    let text = try Keystore.text()
    try folder.write(Array(text.utf8), to: "keystore.json")
    let records = try read("eip2335", folder.path("keystore.json"), password: given.password)
    #expect(content(records) == Array(text.utf8) && records.problems.isEmpty)
    #expect(records.files.first?.format == "eip2335-keystore" && records.files.first?.kdf == "pbkdf2")
    #expect(records.findings.map(\.result) == [given.result])
    #expect(records.findings.first?.detail == "0x\(Keystore.publicKey)")
    #expect(try CollectorKind.recognised(at: folder.path("keystore.json"))?.name == "eip2335")
  }

  @Test func `a key of another public key is kept, and told`() throws {
    let folder = try TemporaryDirectory()
    let other =
      "a057816155ad77931185101128655c0191bd0214c201ca48ed887f6c4c6adf334070efcd75140eada5ac83a92506dd7a"
    try folder.write(Array(try Keystore.text(publicKey: other).utf8), to: "a.json")
    try folder.write(Array(try Keystore.text(publicKey: nil).utf8), to: "b.json")
    let records = try read("eip2335", folder.path, password: "testpassword")
    #expect(records.files.count == 2)
    #expect(records.findings.map(\.result) == [.faulty(.secretDiffers), .notProved(.nothingToCompare)])
    #expect(records.findings.last?.detail == "0x\(Keystore.publicKey)")
  }

  @Test(arguments: [
    ("\"version\": 4", "\"version\": 3", "version"), ("aes-128-ctr", "aes-256-ctr", "cipher"),
    ("hmac-sha256", "hmac-sha512", "HMAC"), ("\"dklen\": 32", "\"dklen\": 64", "32 bytes"),
    ("pbkdf2", "argon2", "neither"), ("\"c\": 1", "\"c\": 0", "rounds"),
    ("\"function\": \"sha256\"", "\"function\": \"md5\"", "checksum"), ("9612d7", "1612d7", "public key"),
    ("\"version\": 4}", "\"version\": 4", "JSON"),
  ]) func `what breaks the rules is kept, and told`(_ change: (old: String, new: String, reason: String))
    throws
  {
    let folder = try TemporaryDirectory()
    let text = try Keystore.text().replacing(change.old, with: change.new)
    try folder.write(Array(text.utf8), to: "key.json")
    let records = try read("eip2335", folder.path, password: "testpassword")
    #expect(content(records) == Array(text.utf8))
    #expect(records.findings.map(\.result) == [.faulty(.malformed)])
    #expect(records.problems.first?.problem.contains(change.reason) == true, "\(records.problems)")
  }

  @Test func `a folder of a client has its keystores below it, and other files`() throws {
    let folder = try TemporaryDirectory()
    try Directory.makePrivateDirectories(folder.path("0xab"))
    try Directory.open(folder.path("0xab")).createFile("voting-keystore.json").pwriteAll(
      Array(try Keystore.text().utf8), at: 0)
    try folder.write(Array("- enabled: true".utf8), to: "validator_definitions.yml")
    try folder.write(Array(#"{"metadata":{"interchange_format_version":"5"},"data":[]}"#.utf8), to: "s.json")
    try folder.write(Array("{}".utf8), to: "other.json")
    let records = try read("eip2335", folder.path)
    // The record is public, and kept as such.
    #expect(
      records.files.map { String(decoding: $0.path, as: UTF8.self) } == [
        "0xab/voting-keystore.json", "s.json",
      ])
    #expect(
      records.isComplete && records.excluded.count == 3 && records.excluded.allSatisfy { $0.isKeptUnread })
    let empty = try TemporaryDirectory()
    try empty.write(Array("{}".utf8), to: "other.json")
    // Who names a file says what it is.
    #expect(try read("eip2335", empty.path("other.json")).findings.map(\.result) == [.faulty(.malformed)])
  }

  // Derivations of 262,144 rounds and of 256 MiB, each done once.
  @Test(
    .enabled(if: here, "the fixtures are not here"),
    arguments: [
      ("deposit-cli-pbkdf2.json", "𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑", WalletFinding.Result.proved(.publicKey), "9612d7a7"),
      ("scryptExtraFieldTestVector.json", "testpassword🔑", .proved(.publicKey), "9612d7a7"),
      ("testKeystore.json", "testpassword", .proved(.publicKey), "a0578161"),
      ("bls_keystore.json", "somepassword", .proved(.publicKey), "98d08348"),
      ("pubkey-mismatch.json", "testpassword", .faulty(.secretDiffers), "919cada9"),
      ("v3TestVector.json", "testpassword", .faulty(.malformed), ""),
      ("missingKdfSectionTestVector.json", "testpassword", .faulty(.malformed), ""),
    ]) func `published keystores`(
      _ sample: (name: String, password: String, result: WalletFinding.Result, key: String)
    ) throws
  {
    let folder = try #require(Fixtures.folder("wallets/eip2335"))
    let records = try read("eip2335", "\(folder)/\(sample.name)", password: sample.password)
    #expect(try content(records) == Fixtures.file("wallets/eip2335/\(sample.name)"))
    #expect(records.findings.map(\.result) == [sample.result])
    #expect(records.findings.first?.detail.hasPrefix(sample.key.isEmpty ? "" : "0x\(sample.key)") == true)
  }
}

@Suite struct `Slashing records of clients` {
  private static let here = Fixtures.folder("wallets/eip3076") != nil
  private static let mainnet = "4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95"

  @Test(
    .enabled(if: here, "the fixtures are not here"),
    arguments: [
      (
        "slashingImport.json", WalletFinding.Result.publicPart(.wholeness),
        "keys=1 slot=12345 source=5 target=6"
      ),
      ("conflictingBlocks.json", .faulty(.slashable), "keys=1 slot=12345"),
      ("missingPublicKey.json", .faulty(.malformed), ""),
      ("teku-slashProtection.yml", .notProved(.nothingToCompare), "keys=1 slot=327 source=51 target=1741"),
      ("lighthouse-v0.sqlite", .notProved(.notRead), ""),
    ]) func `published records`(_ sample: (name: String, result: WalletFinding.Result, detail: String)) throws
  {
    let folder = try TemporaryDirectory()
    // The name that clients use.
    let name = sample.name.hasSuffix(".sqlite") ? "slashing_protection.sqlite" : sample.name
    try folder.write(Fixtures.file("wallets/eip3076/\(sample.name)"), to: name)
    let records = try read("eip3076", folder.path)
    #expect(try content(records) == folder.read(name))
    #expect(records.findings.map(\.result) == [sample.result])
    #expect(records.findings.first?.detail == sample.detail)
    #expect(records.files.first?.format.hasPrefix("eip3076") == true)
    #expect(records.isComplete)
  }

  /// The standard's tests state for each record whether it has slashable data.
  ///
  /// If there are several, only the first is independent.
  @Test(.enabled(if: here, "the fixtures are not here")) func `the standard's own cases`() throws {
    let folder = try Directory.open(try #require(Fixtures.folder("wallets/eip3076/generated")))
    var count = 0
    for entry in try folder.list() {
      let bytes = try folder.openFile(entry.name).readAll(limit: 1 << 20)
      let root = try JSONDocument(bytes, limit: 1 << 20).root
      let steps = Array(try #require(root.member("steps")).children)
      for (index, step) in steps.enumerated() {
        let record = try SlashingRecord(reading: Array(try #require(step.member("interchange")).sourceBytes))
        if index == 0 {
          #expect(
            record.isSlashable == step.member("contains_slashable_data")?.boolean, "\(entry.text ?? "")")
        }
        #expect(try SlashingRecord(reading: record.fileContent).covers(record))
        count += 1
      }
    }
    #expect(count >= 19)
  }

  @Test func `a record in the folder of another network protects nothing`() throws {
    let folder = try TemporaryDirectory()
    try Directory.makePrivateDirectories(folder.path("holesky"))
    let text =
      #"{"metadata":{"interchange_format_version":"5","genesis_validators_root":"0x\#(Self.mainnet)"},"data":[]}"#
    try Directory.open(folder.path("holesky")).createFile("a.json").pwriteAll(Array(text.utf8), at: 0)
    #expect(try read("eip3076", folder.path).findings.map(\.result) == [.faulty(.otherNetwork)])
    #expect(try CollectorKind.recognised(at: folder.path("holesky/a.json"))?.name == "eip3076")
    try folder.write(Array(text.replacing(Self.mainnet, with: "00").utf8), to: "b.json")
    #expect(try read("eip3076", folder.path("b.json")).findings.map(\.result) == [.faulty(.malformed)])
  }

  @Test func `Teku's files name the key, and newer ones the network`() throws {
    let folder = try TemporaryDirectory()
    let key = String(repeating: "8a", count: 48)
    try folder.write(
      Array(
        "---\nlastSignedBlockSlot: 3\nlastSignedAttestationSourceEpoch: 1\nlastSignedAttestationTargetEpoch: 2\ngenesisValidatorsRoot: \"0x\(Self.mainnet)\"\n"
          .utf8), to: "\(key).yml")
    try folder.write(Array("a: 1\n".utf8), to: "other.yml")
    try folder.write(
      Array("lastSignedBlockSlot: x\nlastSignedAttestationTargetEpoch: 2\n".utf8), to: "broken.yml")
    let records = try read("eip3076", folder.path)
    #expect(records.findings.map(\.result) == [.publicPart(.wholeness), .faulty(.malformed)])
    #expect(records.findings.first?.detail == "keys=1 slot=3 source=1 target=2")
    #expect(records.files.count == 1)
  }
}
