import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Keystores decrypted with their passwords and compared with their addresses.
struct KeystoreOpeningTests {
  private static let geth = Fixtures.folder("eip-keystore-v3-geth")
  private static let live = Fixtures.folder("live")

  /// The example of the Web3 Secret Storage definition with a cheap derivation: the key is 1, the password
  /// "x".
  private static let ownAddress = "7e5f4552091a69125d5dfcb7b8c2659029395bdf"

  /// Returns a keystore of the private key 1, created with PBKDF2.
  static func keystore(address: String? = ownAddress, password: String = "x", rounds: Int = 2) throws
    -> String
  {
    let salt = [UInt8](repeating: 3, count: 32)
    let derived = try PBKDF2.derive(
      from: try SecretBytes(copying: Array(password.utf8).span), salt: try SecretBytes(copying: salt.span),
      iterations: rounds, count: 32)
    let bytes = derived.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    let counter = [UInt8](repeating: 5, count: 16)
    let key = [UInt8](repeating: 0, count: 31) + [1]
    let sealed = try AESCipher.applyCTR(
      key.span, key: try SecretBytes(copying: bytes.span.extracting(0..<16)), vector: counter)
    let ciphertext = sealed.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    let judged = bytes[16...] + ciphertext
    let mac = Keccak256.hash(Array(judged).span).hex
    let named = address.map { #""address":"\#($0)","# } ?? ""
    return #"{\#(named)"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"\#(Hex.encode(counter))"},"#
      + #""ciphertext":"\#(Hex.encode(ciphertext))","kdf":"pbkdf2","kdfparams":{"c":\#(rounds),"dklen":32,"#
      + #""prf":"hmac-sha256","salt":"\#(Hex.encode(salt))"},"mac":"\#(mac)"},"version":3}"#
  }

  /// Returns the proofs of the files in a directory, by name.
  private func prove(_ folder: String, _ passwords: [String]) throws -> [String: Proof.Result] {
    var builder = BackupBundle.Builder()
    try CollectorKind(named: "keystore").source(at: folder).collect(CollectionRequest(), into: &builder)
    return try prove(builder.build(), passwords)
  }

  private func prove(_ bundle: BackupBundle, _ passwords: [String]) throws -> [String: Proof.Result] {
    let scratch = try TemporaryDirectory()
    let passphrase = SharedSecret(try SecretBytes(copying: Array("an archive's passphrase".utf8).span))
    let file = ArchiveFile(try scratch.open().createFile("a.fueki"))
    _ = try bundle.write(
      to: file,
      draft: ArchiveDraft(
        vaultID: .random(), sequence: 1, previous: .zero, created: 1),
      slots: [.passphrase(passphrase, cost: .init(memoryKiB: 64 << 10, passes: 2))],
      facts: ManifestFacts(program: "test", label: "test", device: "test"))
    let intact = try #require(try StoredArchive(reading: file).verify().intact)
    let open = try intact.unlock(with: UnlockingSecrets(passphrases: [passphrase]))
    let report = try open.prove(
      .everything,
      with: ProofMaterial(
        keyFiles: KeyFileOpening.all,
        passwords: try passwords.map { SharedSecret(try SecretBytes(copying: Array($0.utf8).span)) }))
    return Dictionary(report.proofs.map { ($0.name, $0.result) }) { first, _ in first }
  }

  private func proveOne(_ text: String, _ passwords: [String]) throws -> Proof.Result? {
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "key")
    return try prove(folder.path, passwords)["key"]
  }

  @Test func `a keystore whose password is given is proved, or differs`() throws {
    #expect(try proveOne(Self.keystore(), ["wrong", "x"]) == .proved(by: .keystore))
    let zero = try Self.keystore(address: String(repeating: "0", count: 40))
    #expect(
      try proveOne(zero, ["x"])
        == .differs(.keystore, .otherAddress(derived: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")))
    #expect(
      try proveOne(Self.keystore(address: nil), ["x"])
        == .notChecked(.unnamedKeystore(derived: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")))
  }

  @Test func `a keystore that stays closed reports why`() throws {
    #expect(try proveOne(Self.keystore(), []) == .notChecked(.keystore(.noPassword)))
    #expect(try proveOne(Self.keystore(), ["X", ""]) == .notChecked(.keystore(.wrongPassword)))
    let slow = try Self.keystore().replacing(#""c":2"#, with: #""c":4000000000"#)
    #expect(try proveOne(slow, ["x"]) == .notChecked(.keystore(.tooCostly)))
    let large = try Self.keystore().replacing(
      #""kdf":"pbkdf2","kdfparams":{"c":2"#,
      with: #""kdf":"scrypt","kdfparams":{"n":1099511627776,"r":8,"p":1"#)
    #expect(try proveOne(large, ["x"]) == .notChecked(.keystore(.tooCostly)))
    let cut = try Self.keystore().replacing(#""cipher":"aes-128-ctr""#, with: #""cipher":"aes-128-cbc""#)
    #expect(try proveOne(cut, ["x"]) == .notChecked(.keystore(.unknownScheme)))
    // A changed ciphertext has another MAC, just as with a wrong password.
    let changed = try Self.keystore().replacing(#""mac":""#, with: #""mac":"00"#).replacing(
      #""},"version""#, with: #""},"version""#)
    guard case .notChecked(.keystore)? = try proveOne(changed, ["x"]) else {
      Issue.record("a keystore with another MAC opens")
      return
    }
  }

  @Test func `a wallet with a keystore's address is proved with it`() throws {
    var builder = BackupBundle.Builder()
    for (name, address) in [
      ("own", "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"),
      ("other", "0x7ef5a6135f1fd6a02593eedc869c6d41d934aef8"),
    ] {
      var wallet = Wallet()
      wallet.id = PackedText.pack(name)
      wallet.name = name
      wallet.kind = "hot"
      wallet.chainFamily = "evm"
      wallet.chainID = "1"
      wallet.address = PackedText.pack(address)
      try builder.add(wallet)
    }
    let folder = try TemporaryDirectory()
    try folder.write(Array(Self.keystore().utf8), to: "key")
    try CollectorKind(named: "keystore").source(at: folder.path).collect(CollectionRequest(), into: &builder)
    let bundle = builder.build()
    let results = try prove(bundle, ["x"])
    #expect(results["own"] == .proved(by: .keystore) && results["other"] == .notChecked(.noKey))
    #expect(results["key"] == .proved(by: .keystore))
  }

  @Test(.enabled(if: geth != nil, "geth's keystores are not here"))
  func `geth's good files are proved, and each of its bad ones is told apart`() throws {
    let folder = try #require(Self.geth)
    let results = try prove("\(folder)/keystore", ["foobar"])
    for good in [
      "UTC--2016-03-22T12-57-55.920751759Z--7ef5a6135f1fd6a02593eedc869c6d41d934aef8", "aaa", "zzz",
    ] {
      #expect(results[good] == .proved(by: .keystore), "\(good)")
    }
    #expect(
      results["no-address"]
        == .notChecked(.unnamedKeystore(derived: "0xf466859eAD1932D743d622CB74FC058882E8648A")))
    #expect(
      results["zero"]
        == .differs(.keystore, .otherAddress(derived: "0xf466859eAD1932D743d622CB74FC058882E8648A")))
    #expect(results["garbage"] == nil && results["README"] == nil && results["empty"] == nil)
    let light = try prove("\(folder)/very-light-scrypt.json", [""])
    #expect(light["very-light-scrypt.json"] != nil)
  }

  private struct Vector: Decodable {
    let password, priv: String
  }

  @Test func `published keystores hold the keys that they are published with`() throws {
    try expectKeys(of: try Published.file("keystore-v3.json"), count: 5)
  }

  @Test(.enabled(if: geth != nil, "geth's keystores are not here"))
  func `geth's own vectors hold the keys that they are published with`() throws {
    try expectKeys(
      of: try File.open("\(#require(Self.geth))/v3_test_vector.json").readAll(limit: 1 << 20), count: 4)
  }

  private func expectKeys(of vectors: [UInt8], count: Int) throws {
    let document = try JSONDocument(vectors, limit: 1 << 20)
    #expect(Array(document.root.children).count == count)
    for vector in document.root.children {
      let password = try #require(vector.member("password")?.string)
      let key = try #require(vector.member("priv")?.string.flatMap { Hex.decode($0) })
      let scalar = [UInt8](repeating: 0, count: 32 - key.count) + key
      let point = try CurvePoint.multiplyBase(try SecretBytes(copying: scalar.span), on: .secp256k1)
      let derived = try #require(try KeyAddresses(of: point, on: .secp256k1).evm?.description)
      let file = try #require(vector.member("json")?.source)
      let result = try proveOne(file, [password])
      let isNamed = vector.member("json")?.member("address") != nil
      #expect(
        result == (isNamed ? .proved(by: .keystore) : .notChecked(.unnamedKeystore(derived: derived))),
        "\(vector.name)")
    }
  }
}
