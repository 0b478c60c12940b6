import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// A wallet published in the tests of a program derived from Wasabi, and variants of it.
struct WasabiTests {
  static let secret = "6PYSocGEa4k2XEDypqgMLSVfE4pNemeiioTNzgdMb1H4X2Geny2gpjQsgC"
  static let key =
    "xpub6BkRV4gFz75r7rp43Qcn6pZ38EVwk4R3aseBx4pccRxAKHLsP5myL2oLDcXg5zH8sLoc9yV938k5zzu2QBQefhRc9gzqqrMcWooT1gmuVbj"
  static let taproot =
    "xpub6CdWEHSNG669jMU4JTT7GdsuFjAr5m4tCuUf7nynEpFoe2rqjnt8CXCJeBuvY3hV7NxSJ2gtf9Z4Kfusn2bw6LYFbtKnJWT2JgZJUA6bHdy"
  private static let password = "topsecret1234"

  static func text(
    secret: String? = secret, key: String = key, more: String = #", "TaprootExtPubKey": "\#(taproot)""#
  ) -> String {
    let secret = secret.map { "\"\($0)\"" } ?? "null"
    return #"""
      {"EncryptedSecret": \#(secret), "ChainCode": "ZMqSU1H1VTgS1XokqYMyKCQfD5zxuF0OFqdJIhzab54=",
       "MasterFingerprint": "a60e43c8", "ExtPubKey": "\#(key)"\#(more), "AccountKeyPath": "84'/0'/0'",
       "BlockchainState": {"Network": "Main", "Height": "0"}, "HdPubKeys": []}
      """#
  }

  private func read(_ bytes: [UInt8], _ password: String? = nil) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "Wallet0.json")
    var request = CollectionRequest(includesPrivateKeys: true)
    request.isForBackup = true
    let passphrase = password.map { text in
      SourcePassphrase { SharedSecret(try SecretBytes(copying: Array(text.utf8).span)) }
    }
    #expect(try CollectorKind.recognised(at: folder.path)?.name == "wasabi")
    return try CollectorKind(named: "wasabi").source(at: folder.path, passphrase: passphrase).read(request)
      .holdingFiles()
  }

  private static let files: [(text: String, password: String?, WalletFinding.Result)] = [
    (text(), password, .proved(.publicKey)),
    (text(), "another", .notProved(.wrongPassword)),
    (text(), nil, .notProved(.needsPassword)),
    (text(more: ""), password, .proved(.publicKey)),
    ("\u{FEFF}" + text(), password, .proved(.publicKey)),
    (text(key: taproot), password, .faulty(.secretDiffers)),
    (text(secret: nil), password, .publicPart()),
  ]

  @Test(arguments: files.indices)
  func `an encrypted wallet is kept, and its password proves its key`(_ place: Int) throws {
    let (text, password, result) = Self.files[place]
    let records = try read(Array(text.utf8), password)
    #expect(records.findings.map(\.result) == [result])
    #expect(records.files.map { [UInt8]($0.content) } == [Array(text.utf8)] && records.secretFiles.isEmpty)
  }

  @Test(arguments: [text(secret: String(secret.dropLast())), text(key: "xpub"), String(text().dropLast(40))])
  func `a damaged wallet is kept as a secret, since its password may be empty`(_ text: String) throws {
    let records = try read(Array(text.utf8), Self.password)
    #expect(records.findings.map(\.result) == [.faulty(.malformed)])
    #expect(records.files.isEmpty && records.secretFiles.count == 1)
  }

  @Test func `a wallet without a password is a secret, which needs none to be proved`() throws {
    // The key that BIP-38's first vectors encrypt, encrypted with an empty password.
    let secret = "6PYNKZ1EBHcZZECRVaVGvq57dK4g5hjpoh7odzrcfNy7FANMEVo3fMVpdv"
    let key =
      "xpub6CyQft8mPsEGPHkpQ67p4GUwxQT99bU1vcDtfQnupeemW8ggnEmMb9gBFCASgJz1a8ggSEhBMLsn8ntgCJBQAE8PykKaEYU2xfz2BhyTHpL"
    let text = Self.text(secret: secret, key: key, more: "")
    for password in [nil, "", "another"] {
      let records = try read(Array(text.utf8), password)
      #expect(records.findings.map(\.result) == [.proved(.publicKey)] && records.findings[0].isInClear)
      #expect(records.files.isEmpty && records.secretFiles.count == 1)
    }
  }

  @Test func `the public part has the descriptors and the first address`() throws {
    let wallet = try #require(try read(Array(Self.text().utf8)).wallets.first)
    #expect(wallet.kind == WalletKind.hot.rawValue && wallet.name == "Wallet0")
    #expect(wallet.descriptors.first == "wpkh([a60e43c8/84h/0h/0h]\(Self.key)/0/*)")
    #expect(wallet.descriptors.last == "tr([a60e43c8/86h/0h/0h]\(Self.taproot)/1/*)")
    #expect(PackedText.text(wallet.address) == "bc1qhx842u0x75rlqlwt2vjz8dwe0hp9xe8my0anrr")
  }
}
