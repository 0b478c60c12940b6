import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// Coordinators' files as other versions and programs write them.
@Suite struct `Variations of coordinators' files` {
  private static let keys = [
    (
      "8188029f", "48'/0'/0'/2'",
      "xpub6EMVvcTUbaABdaPLaVWE72CjcN72URa5pKK1knrKLz1hKaDwUkgddc3832a8MHEpLyuow7MfjMRomt2iMtwPH4pWrFLft4JsquHjeZfKsYp"
    ),
    (
      "3bd5c9b0", "48'/0'/0'/2'",
      "xpub6EbTHAgvzZtVppjLPXia2prt6T2w7DD2VQ8gysgV6ECzmKkA6zt4WR3hX4bgciTDrnaneZoJbA19tYKBMrWuA89SbgYAdbMNWmtzrgLhqco"
    ),
  ]

  private func read(_ text: String, named name: String = "wallet.txt") throws -> ImportedRecords {
    try CollectorKind.read("multisig", Array(text.utf8), named: name)
  }

  private func keyLines(_ separator: String = "\n") -> String {
    Self.keys.map { "\($0.0.uppercased()): \($0.2)\(separator)" }.joined()
  }

  private func descriptor(_ wrapper: (String, String), _ steps: String) -> String {
    let keys = Self.keys.map { "[\($0.0)/\($0.1)]\($0.2)\(steps)" }
    return "\(wrapper.0)sortedmulti(2,\(keys.joined(separator: ",")))\(wrapper.1)"
  }

  @Test func `Coldcard's file without a format is of the oldest kind of address`() throws {
    let head = "# Coldcard Multisig setup file (exported from 8188029F)\n#\nName: both\nPolicy: 2 of 2\n"
    let path = "\nDerivation: m/48'/0'/0'/2'\n\n"
    let old = try read(head + path + keyLines())
    #expect(old.findings.map(\.result) == [.publicPart(.wholeness)])
    #expect(old.findings.first?.detail.hasPrefix("2 of 2 3") == true)
    #expect(old.wallets.first?.descriptors.first?.hasPrefix("sh(sortedmulti(2,") == true)
    let new = try read(head + "Format: P2WSH\n" + path + keyLines())
    #expect(new.findings.first?.detail.hasPrefix("2 of 2 bc1q") == true)
  }

  @Test(arguments: ["2/2", "2,2", "2 2", "2 of 2  # both", "2-of-2"])
  func `a policy is two numbers, and a remark is none`(_ policy: String) throws {
    let text =
      "\u{FEFF}Name: köln #1\r\nPolicy: \(policy)\r\nFormat: p2wsh # native\r\nDerivation: m/48h/0h/0h/2h # ours\r\n"
      + keyLines("\r\n")
    let records = try read(text)
    #expect(records.findings.map(\.result) == [.publicPart(.wholeness)], "\(policy)")
    #expect(records.findings.first?.detail.hasPrefix("2 of 2 bc1q") == true, "\(policy)")
    #expect(records.findings.first?.name == "köln #1")
  }

  @Test func `a descriptor over several lines with remarks is one`() throws {
    let plain = descriptor(("wsh(", ")"), "/<0;1>/*")
    let checksum = try #require(DescriptorChecksum.of(plain))
    func spread(_ checksum: String) -> String {
      let keys = Self.keys.map { "\t[\($0.0)/\($0.1)]\($0.2)/<0;1>/*" }.joined(separator: ",\n")
      return
        "# Coldcard descriptor export\n# order of keys does not matter\nwsh(sortedmulti(\n\t# 2 of 2\n\t2,\n"
        + "\(keys)\n))#\(checksum)\n"
    }
    let records = try read(spread(checksum))
    #expect(records.findings.map(\.result) == [.publicPart(.wholeness)])
    #expect(records.wallets.map(\.descriptors) == [["\(plain)#\(checksum)"]])
    #expect(try read(spread("qqqqqqqq")).findings.map(\.result) == [.faulty(.checksum)])
  }

  @Test func `the command for Bitcoin Core's console has the descriptors`() throws {
    let texts = ["/0/*", "/1/*"].map { steps in
      let plain = descriptor(("wsh(", ")"), steps).replacing("'", with: "h")
      return "\(plain)#\(DescriptorChecksum.of(plain) ?? "")"
    }
    let list = texts.map {
      "{\"desc\": \"\($0)\", \"active\": true, \"timestamp\": \"now\", \"range\": [0, 100]}"
    }
    let records = try read("importdescriptors '[\(list.joined(separator: ", "))]'\n\n")
    #expect(records.findings.map(\.result) == [.publicPart(.wholeness)])
    #expect(records.wallets.first?.descriptors.count == 2)
    #expect(!records.holdsSecretFiles)
  }

  // MARK: one signer's keys

  /// Returns a signer's export for a coordinator, with the first key.
  private func export(path: String = "m/48'/0'/0'/2'", _ change: (String) -> String = { $0 }) throws -> String
  {
    let key = try ExtendedPublicKey(parsing: Self.keys[0].2)
    let version = try #require(ExtendedKeyVersion.all.first { $0.name == "Zpub" })
    let text = change(key.text(as: version))
    return #"{"p2wsh_deriv":"\#(path)","p2wsh":"\#(text)","account":"0","xfp":"8188029F"}"#
  }

  @Test func `the keys of one signer are the public part of a wallet`() throws {
    let one = try read(export(), named: "ccxp-8188029F.json")
    #expect(
      one.findings.map(\.result) == [.publicPart(.wholeness)] && one.findings.map(\.detail) == ["8188029f"])
    #expect(!one.holdsSecretFiles && one.wallets.isEmpty)
    let plain =
      #"{"name":"a","xfp":"8188029f","bip32Path":"m/48'/0'/0'/2'","xpub":"\#(Self.keys[0].2)"}"#
    #expect(try read(plain, named: "unchained.json").findings.map(\.result) == [.publicPart(.wholeness)])
    let folder = try TemporaryDirectory()
    try folder.write(Array(export().utf8), to: "ccxp-8188029F.json")
    #expect(try CollectorKind.recognised(at: folder.path("ccxp-8188029F.json"))?.name == "multisig")
    let found = try CollectorKind(named: "multisig").source(at: folder.path).read(.forBackup).holdingFiles()
    #expect(found.findings.map(\.result) == [.publicPart(.wholeness)])
  }

  @Test func `one signer's keys that are not whole are faulty`() throws {
    let changed = try export { String($0.dropLast()) + ($0.hasSuffix("1") ? "2" : "1") }
    #expect(try read(changed).findings.map(\.result) == [.faulty(.checksum)])
    #expect(try read(export(path: "m/48'/0'/0'")).findings.map(\.result) == [.faulty(.malformed)])
    let short = try read(export().replacing("8188029F", with: "818802"))
    #expect(short.findings.map(\.result) == [.faulty(.malformed)])
  }

  @Test(arguments: ["a shopping list\n", #"{"a":[1,2]}"#, "\u{1}\u{2}"])
  func `a file that is named and is no coordinator's is faulty, and may hold anything`(_ text: String)
    throws
  {
    #expect(throws: ForeignFileError.self) { try read(text) }
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "wallet.txt")
    let records = try CollectorKind(named: "multisig").source(at: folder.path("wallet.txt"))
      .read(.wholeBackup).holdingFiles()
    #expect(records.findings.map(\.result) == [.faulty(.malformed)])
    #expect(records.findings.map(\.isInClear) == [true] && records.holdsSecretFiles)
  }

  @Test func `a file that begins as a coordinator's and goes on as none is faulty`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(#"{"descriptor":5,"blockheight":0}"#.utf8), to: "wallet.txt")
    let records = try CollectorKind(named: "multisig").source(at: folder.path("wallet.txt")).read(.forBackup)
    #expect(records.findings.map(\.result) == [.faulty(.malformed)])
  }

  // MARK: BIP-129

  private static let token = "a54044308ceac9b7"
  /// `my_multisig_wallet.dat` of the BIP's vectors for standard encryption.
  private static let setup =
    "734ce791b466861945e1ef6f74c63faec590793de54831f0036b28d08714b71a273cad18a5e1eff37dba6d850749594c9a3fd32b2069e8c69983ea269c5044b6bcaea26d9dbc8ad5d28bb8abfa02e3bfc7632fcc5c2b76e9abb1982ff11295858cfe44a8b97110ae970f58fff3fb6477f38ca9609eec78eedb1d640eaba489fd5e41e787b8d0bde48f1fa99cca641cabbee0f513fb1040cb73df10a57c9a34e4efcb069cd4c75467442c15d878ed9f40e3dffb98294931a6da4f444ae46f739b7fe002ce19fcfe71b05b9783d797ba45d568febbc8a2b0850da67f349d8567342352e1712c3d2a7ea1b2721df5efdb844431f0e5dcfa4acacb194c20785c9bb6dde90d64352fc913e9073b3b416be713bcc7632c821bbfddafa6199d471c54fb899f347f5fc706787ccaa82332dc8b93aeb3de3497d8e5c75f0f5d718c74bc6f8194fe999948e517f1c98398d9cb907d200f1d045394704b074dfb10e587f54fd78e95ef4bcbe77bf1376b390c3f47c91c12b2ed14073ea56bceab41f924302e62183c456b06d96b3da30439cb4320c764a0d6d1b3dabc06fc"

  private func opened(_ text: String, _ token: String?) throws -> ImportedRecords {
    try CollectorKind.read(
      "multisig", Array(text.utf8), named: "my_multisig_wallet.dat",
      passphrase: token.map { ForeignFiles.asking($0) })
  }

  @Test(arguments: [token, "11907592390080907703", "pipe acquire around border prosper swift", " \(token)\n"])
  func `an encrypted setup opens with its token in any spelling`(_ token: String) throws {
    for text in [Self.setup, Self.setup.uppercased() + "\r\n"] {
      let records = try opened(text, token)
      #expect(records.findings.map(\.result) == [.publicPart(.address)])
      #expect(
        records.findings.first?.detail
          == "2 of 2 bc1qhs4u273g4azq7kqqpe6vh5wfhasfmrq7nheyzsnq77humd7rwtkqagvakf")
      #expect(records.wallets.count == 1 && records.secretFiles.isEmpty)
    }
  }

  @Test func `without its token, with another one, or damaged it is kept and not proved`() throws {
    #expect(try opened(Self.setup, nil).findings.map(\.result) == [.notProved(.needsPassword)])
    for token in ["a54044308ceac9b8", "11907592390080907704", "no token"] {
      #expect(try opened(Self.setup, token).findings.map(\.result) == [.notProved(.wrongPassword)])
    }
    let damaged = Self.setup.replacing("bc06fc", with: "bc06fd")
    #expect(try opened(damaged, Self.token).findings.map(\.result) == [.notProved(.wrongPassword)])
    let folder = try TemporaryDirectory()
    try folder.write(Array(Self.setup.utf8), to: "setup.dat")
    try folder.write(Array(Self.setup.utf8), to: "other.txt")
    let records = try CollectorKind(named: "multisig").source(at: folder.path).read(.forBackup).holdingFiles()
    #expect(records.findings.map(\.name) == ["setup.dat"] && records.excluded.map(\.what) == ["other.txt"])
  }

  /// The BIP's vector for extended encryption, of the first signer.
  @Test func `a record of a longer token opens`() throws {
    let record =
      "ea12776c73de4bd5ea57c2d19eb8e0be856ac0d7f5651f7b74be4563d61ba5b1a36f34232bff47a853092654a718fea4f5f57d6a1f3d38fede04e2414da12c90cefc24ef662f736886d9a7fd6e7db636ca47217803c86b7fbcebe4ad6b71cffc261069c135bd2b2430fb2b446ff0203df34fbbc6801243e8a930b9d0cd3a9b160b8dcdc9131ce6e97641e6314b3285ff341013f302e308c1b2eba7ced0103a8999fe2bd86f844392938e7926cd26d023b764d0b8ff92b2fbdf995884c738414b83563ef2a0050279bf46d0e8271ea5d6af8154847c5736129a7a83a35a3cc747b2be4b389886cb57456678353b60473ebc4ab85d9c9131a17a1e288717343d9008825b16c48d7e93927f37b530033192c67b70dec0411a3e5952d2525c7eb80721676e1a6299248c17f8078202f3bb0932e9f263b0ab"
    let bytes = try #require(Hex.decode(record))
    let token = try #require(Hex.decode("108a2360adb302774eb521daebbeda5e"))
    let text = try BSMSCipher.open(bytes.span, token: token)?.copied() ?? []
    #expect(
      String(decoding: text, as: UTF8.self).hasPrefix(
        "BSMS 1.0\n108a2360adb302774eb521daebbeda5e\n[793cc70b/"))
  }
}
