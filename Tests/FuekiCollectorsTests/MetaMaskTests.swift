import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

private func read(_ path: String, password: String? = nil) throws -> ImportedRecords {
  try CollectorKind.metamask(path, password)
}

extension CollectorKind {
  fileprivate static func metamask(_ path: String, _ password: String?) throws -> ImportedRecords {
    var request = CollectionRequest.forBackup
    request.includesPrivateKeys = true
    return try CollectorKind(named: "metamask")
      .source(at: path, passphrase: password.map { ForeignFiles.asking($0) }).read(request).holdingFiles()
  }
}

extension CollectionRequest {
  /// A backup's request.
  static var forBackup: CollectionRequest {
    var request = CollectionRequest()
    request.isForBackup = true
    return request
  }
}

@Suite struct `MetaMask's vaults` {
  private static let here = Fixtures.folder("wallets/metamask") != nil
  private static let firstAddress = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
  /// The same phrase's second address.
  private static let secondAddress = "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0"
  private static let words =
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

  @Test(
    .enabled(if: here, "the fixtures are not here"),
    arguments: [
      (
        "vault-legacy-10000.json", "correct horse battery staple",
        "0x5CfE73b6021E818B776b421B1c4Db2474086a7e1"
      ),
      ("vault-chrome-119.json", "r!chSloth14", "0xfD1b222C4f94e116d3BB842D993f2f5AeE0Bff74"),
      ("metamask.9.8.4_firefox_vault", "btcr-test-password", "0x66F9C09118B1C726BC24811a611baf60af42070A"),
      ("metamask_vault_v11_12_1.txt", "btcr-test-password", "0x66F9C09118B1C726BC24811a611baf60af42070A"),
    ]) func `published vaults open, and lead to their address`(
      _ sample: (name: String, password: String, address: String)
    ) throws
  {
    let path = try #require(Fixtures.folder("wallets/metamask")) + "/\(sample.name)"
    let closed = try read(path)
    #expect(closed.findings.map(\.result) == [.notProved(.needsPassword)])
    #expect(
      try closed.files.flatMap { [UInt8]($0.content) } == Fixtures.file("wallets/metamask/\(sample.name)"))
    let open = try read(path, password: sample.password)
    #expect(
      open.findings.map(\.result) == [.proved(.opened)] && open.findings.first?.detail == sample.address)
    #expect(try CollectorKind.recognised(at: path)?.name == "metamask")
    #expect(open.privateKeys.isEmpty && open.secretFiles.isEmpty)
  }

  @Test(.enabled(if: here, "the fixtures are not here")) func `a browser's folder, read from its log`() throws
  {
    let path = try #require(Fixtures.folder("wallets/metamask")) + "/chromium-94"
    let closed = try read(path)
    let address = "0xd7703838FE974458221eDA637dd8B92D41DB2CB2"
    #expect(closed.wallets.map { PackedText.text($0.address) } == [address])
    #expect(closed.findings.map(\.result) == [.notProved(.needsPassword)])
    #expect(try CollectorKind.recognised(at: path)?.name == "metamask")
    let open = try read(path, password: "aePaf7aequukoo6lahraitheemu6pein")
    #expect(open.findings.map(\.result) == [.proved(.address)] && open.findings.first?.detail == address)
    let wrong = try read(path, password: "aePaf7")
    #expect(wrong.findings.map(\.result) == [.notProved(.wrongPassword)])
  }

  @Test(.enabled(if: here, "the fixtures are not here")) func `the app's state`() throws {
    let path = try #require(Fixtures.folder("wallets/metamask")) + "/metamask.android.persist-root"
    let open = try read(path, password: "btcr-test-password")
    let address = "0x66F9C09118B1C726BC24811a611baf60af42070A"
    #expect(open.findings.map(\.result) == [.proved(.address)] && open.findings.first?.detail == address)
    #expect(open.wallets.map { PackedText.text($0.address) } == [address])
    #expect(try read(path).findings.map(\.result) == [.notProved(.needsPassword)])
    // It is not authenticated, so a wrong password is detected by the result.
    #expect(try read(path, password: "another").findings.map(\.result) == [.notProved(.wrongPassword)])
  }

  /// Returns a vault created here, in a state with these addresses.
  private static func state(_ keyrings: String, shown: [String]) throws -> [UInt8] {
    let salt = [UInt8](repeating: 4, count: 32)
    let key = try PBKDF2.derive(
      from: try .of("pw"), salt: SecretBytes(copying: salt.span), iterations: 2, count: 32)
    // The phone's format uses another cipher; see below.
    let vault = try SealedVault.browser(keyrings, key: key, salt: salt)
    let identities = shown.map { #""\#($0.lowercased())":{"name":"Account"}"# }.joined(separator: ",")
    return Array(
      #"{"KeyringController":{"vault":\#(JSONText.quoted(vault))},"PreferencesController":{"identities":{\#(identities)}}}"#
        .utf8)
  }

  @Test(.enabled(if: SealedVault.canSeal, "this machine has no python3-cryptography"))
  func `accounts and keys are compared`() throws {
    let folder = try TemporaryDirectory()
    let tree =
      #"{"type":"HD Key Tree","data":{"mnemonic":"\#(Self.words)","numberOfAccounts":2,"hdPath":"m/44'/60'/0'/0"}}"#
    let numbers = Array(Self.words.utf8).map(String.init).joined(separator: ",")
    let list =
      #"{"type":"HD Key Tree","data":{"mnemonic":[\#(numbers)],"numberOfAccounts":1,"hdPath":"m/44'/60'/0'/0"}}"#
    let one = String(repeating: "0", count: 63) + "1"
    let simple = #"{"type":"Simple Key Pair","data":["\#(one)"]}"#
    let ofOne = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"
    let ledger = #"{"type":"Ledger Hardware","data":{"accounts":["\#(ofOne)"]}}"#
    let cases: [(keyrings: String, shown: [String], result: WalletFinding.Result, notes: Int)] = [
      ("[\(tree)]", [Self.firstAddress, Self.secondAddress], .proved(.address), 0),
      ("[\(tree)]", [Self.firstAddress], .proved(.address), 1),
      ("[\(list)]", [Self.firstAddress], .proved(.address), 0),
      ("[\(list),\(simple)]", [Self.firstAddress, ofOne], .proved(.address), 0),
      ("[\(list),\(ledger)]", [Self.firstAddress, ofOne], .proved(.address), 0),
      // Imported after the vault was saved.
      ("[\(list)]", [Self.firstAddress, ofOne], .proved(.address), 1),
      ("[\(list)]", [Self.secondAddress], .faulty(.otherAddress), 2),
      ("[\(list)]", [], .proved(.opened), 0),
      (#"[{"type":"HD Key Tree","data":{}}]"#, [Self.firstAddress], .faulty(.malformed), 1),
    ]
    for (index, sample) in cases.enumerated() {
      let name = "state-\(index).json"
      try folder.write(try Self.state(sample.keyrings, shown: sample.shown), to: name)
      let records = try read(folder.path(name), password: "pw")
      #expect(records.findings.map(\.result) == [sample.result], "\(index)")
      #expect(records.problems.count == sample.notes, "\(index): \(records.problems)")
      #expect(records.wallets.count == sample.shown.count)
    }
    // The same through a table and a newer log, and by controller.
    let state = try Self.state("[\(list)]", shown: [Self.firstAddress])
    let older = try Self.state("[\(list)]", shown: [Self.secondAddress])
    try Directory.makePrivateDirectories(folder.path("profile"))
    let profile = try Directory.open(folder.path("profile"))
    try profile.createFile("000005.ldb").pwriteAll(LevelDBFiles.table("data", older, sequence: 7), at: 0)
    try profile.createFile("000007.log").pwriteAll(LevelDBFiles.log("data", state, sequence: 8), at: 0)
    _ = try profile.createFile("LOCK")
    let records = try read(folder.path("profile"), password: "pw")
    #expect(records.findings.map(\.result) == [.proved(.address)] && records.files.count == 3)
    #expect(records.isComplete, "\(records.excluded)")
  }

  @Test func `a database of which nothing can be read is told`() throws {
    let folder = try TemporaryDirectory()
    var file = LevelDBFiles.log("data", Array(#"{"KeyringController":{}}"#.utf8), sequence: 1)
    file[20] ^= 1
    try folder.write(file, to: "000003.log")
    let records = try read(folder.path)
    #expect(records.findings.map(\.result) == [.faulty(.checksum)] && records.files.count == 1)
  }

  @Test(arguments: [1, 2]) func `a seed phrase in the clear is a leak`(_ width: Int) throws {
    let folder = try TemporaryDirectory()
    let text = Array(#"{"wallet-seed":"\#(Self.words)"}"#.utf8)
    try folder.write(width == 1 ? text : text.flatMap { [$0, 0] }, to: "000003.log")
    let records = try read(folder.path)
    #expect(records.secretFiles.count == 1 && records.files.isEmpty)
    #expect(records.problems.contains { $0.problem.contains("in the clear") })
    #expect(records.findings.contains { $0.isInClear })
    let harmless = try TemporaryDirectory()
    try harmless.write(Array(#"{"wallet-seed":null,"KeyringController":{}}"#.utf8), to: "000003.log")
    #expect(try read(harmless.path).secretFiles.isEmpty)
  }

  @Test func `a browser that has the folder open is named, and read all the same`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(LevelDBFiles.log("data", Array("{}".utf8), sequence: 1), to: "000003.log")
    let holder = try BuiltBinary.run(
      program: "/bin/sh",
      ["-c", "exec 9<'\(folder.path("000003.log"))'; sleep 30 >/dev/null 2>&1 & echo $!"])
    defer { _ = try? BuiltBinary.run(program: "/bin/kill", [holder.text.filter(\.isNumber)]) }
    let records = try read(folder.path)
    #expect(!records.isComplete && records.files.count == 1)
    #expect(records.excluded.contains { $0.reason.contains("Close the browser") })
  }

  @Test func `what is none of MetaMask's is not sound`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("{}".utf8), to: "a.json")
    #expect(try read(folder.path("a.json")).findings.map(\.result) == [.faulty(.malformed)])
  }
}

/// MetaMask's cipher, implemented by another library than the one under test.
private enum SealedVault {
  private static let python = "/usr/bin/python3"
  static let canSeal =
    (try? BuiltBinary.run(program: python, ["-c", "import cryptography"]))?.status == 0

  static func browser(_ text: String, key: borrowing SecretBytes, salt: [UInt8]) throws -> String {
    let digits = Hex.encode(key.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    let script = """
      import sys, base64, json
      from cryptography.hazmat.primitives.ciphers.aead import AESGCM
      key, salt, text = bytes.fromhex(sys.argv[1]), bytes.fromhex(sys.argv[2]), sys.argv[3].encode()
      iv = bytes(range(16))
      code = lambda b: base64.b64encode(b).decode()
      print(json.dumps({"data": code(AESGCM(key).encrypt(iv, text, None)), "iv": code(iv), "salt": code(salt),
          "keyMetadata": {"algorithm": "PBKDF2", "params": {"iterations": 2}}}), end="")
      """
    let run = try BuiltBinary.run(program: python, ["-c", script, digits, Hex.encode(salt), text])
    try #require(run.status == 0, "\(run.errors)")
    return run.text
  }
}
