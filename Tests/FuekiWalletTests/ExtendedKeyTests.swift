import FoundationEssentials
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

struct ExtendedKeyTests {
  private static func secret(_ text: some StringProtocol) throws -> SecretBytes {
    let bytes = Array(text.utf8)
    return try SecretBytes(copying: bytes.span)
  }

  @Test(arguments: BIP32Vectors.derivations)
  func `the derivations of BIP-32`(_ vector: String) throws {
    let fields = vector.split(separator: " ").map(String.init)
    let seedBytes = try #require(Hex.decode(fields[0]))
    let seed = try SecretBytes(copying: seedBytes.span)
    let path = try #require(DerivationPath(fields[1]))
    let text = try Self.secret(fields[3])
    let expected = try ExtendedPrivateKey(parsing: text)
    let expectedPublic = try expected.publicKey()
    #expect(expectedPublic.text == fields[2])
    #expect(try ExtendedPublicKey(parsing: fields[2]) == expectedPublic)

    let top = try ExtendedPrivateKey(seed: seed)
    let derived = path.steps.isEmpty ? try top.publicKey() : try derivedPublicKey(top, path)
    #expect(derived == expectedPublic)

    // Derives the trailing steps that are not hardened again, from the public key alone.
    let tail = path.steps.reversed().prefix { !$0.isHardened }.reversed()
    let head = DerivationPath(Array(path.steps.dropLast(tail.count)))
    let above = head.steps.isEmpty ? try top.publicKey() : try derivedPublicKey(top, head)
    #expect(try above.descendant(DerivationPath(Array(tail))) == expectedPublic)
  }

  private func derivedPublicKey(
    _ top: borrowing ExtendedPrivateKey, _ path: DerivationPath
  ) throws -> ExtendedPublicKey {
    let key = try top.descendant(path)
    return try key.publicKey()
  }

  @Test(arguments: BIP32Vectors.invalidKeys)
  func `what BIP-32 calls invalid is refused`(_ text: String) throws {
    #expect(throws: ExtendedKeyError.self) { try ExtendedPublicKey(parsing: text) }
    let text = try Self.secret(text)
    #expect(throws: ExtendedKeyError.self) { _ = try ExtendedPrivateKey(parsing: text) }
  }

  @Test func `a wrong character in a private key is found`() throws {
    let vector = try #require(BIP32Vectors.derivations.first)
    let text = String(try #require(vector.split(separator: " ").last))
    for place in stride(from: 4, to: text.count, by: 7) {
      var characters = Array(text)
      characters[place] = characters[place] == "2" ? "3" : "2"
      let secret = try Self.secret(String(characters))
      #expect(throws: ExtendedKeyError.wrongChecksum) { _ = try ExtendedPrivateKey(parsing: secret) }
    }
    for text in ["", "xprv", String(text.dropLast()), text + "1", text.replacing("x", with: "0")] {
      let secret = try Self.secret(text)
      #expect(throws: ExtendedKeyError.self) { _ = try ExtendedPrivateKey(parsing: secret) }
    }
  }

  @Test func `a hardened child is the private key's alone`() throws {
    let key = try ExtendedPublicKey(parsing: BIP380Vectors.topKey)
    let step = try #require(DerivationStep("0h"))
    #expect(throws: ExtendedKeyError.hardenedStep) { try key.child(step) }
  }

  @Test(arguments: [
    ("m/84h/0'/0h", "m/84h/0h/0h"), ("0/1", "m/0/1"), ("m", "m"), ("2147483647h", "m/2147483647h"),
    ("m/", nil), ("m/0H", nil), ("m/2147483648", nil), ("m/-1", nil), ("m/+1", nil), ("m//1", nil),
    ("m/h", nil),
    ("m/٣", nil), ("", nil),
  ])
  func `paths`(_ text: String, _ expected: String?) {
    #expect(DerivationPath(text)?.description == expected)
  }

  // The mnemonic of BIP-84's and BIP-86's vectors.
  private static let words =
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

  @Test func `the account of BIP-84`() throws {
    let words = try Self.secret(Self.words)
    let none = try SecretBytes(count: 0)
    let seed = try SeedPhrase.seed(words: words, passphrase: none)
    let top = try ExtendedPrivateKey(seed: seed)
    let path = try #require(DerivationPath("m/84h/0h/0h"))
    let account = try top.descendant(path)
    let key = try account.publicKey()
    let zpub =
      "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
    let published = try ExtendedPublicKey(parsing: zpub)
    #expect(published.text(as: .main) == key.text)
    #expect(published.text == zpub)

    let fingerprint = try top.publicKey().fingerprint()
    let descriptor = try #require(
      Descriptor.account(published, origin: KeyOrigin(fingerprint: fingerprint, path: path)))
    #expect(descriptor.expression == "wpkh([73c5da0a/84h/0h/0h]\(key.text)/<0;1>/*)")
    let bitcoin = try #require(BitcoinNetwork.named("bitcoin"))
    #expect(
      try descriptor.address(at: 0, network: bitcoin) == "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
    #expect(
      try descriptor.address(at: 1, network: bitcoin) == "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g")
    #expect(
      try descriptor.address(at: 0, branch: 1, network: bitcoin)
        == "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el")
  }

  @Test func `the account of BIP-86`() throws {
    let words = try Self.secret(Self.words)
    let none = try SecretBytes(count: 0)
    let seed = try SeedPhrase.seed(words: words, passphrase: none)
    let top = try ExtendedPrivateKey(seed: seed)
    let path = try #require(DerivationPath("m/86h/0h/0h"))
    let account = try top.descendant(path)
    let key = try account.publicKey().text
    #expect(
      key
        == "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ"
    )
    let descriptor = try Descriptor(parsing: "tr(\(key)/<0;1>/*)")
    let bitcoin = try #require(BitcoinNetwork.named("bitcoin"))
    #expect(
      try descriptor.scriptPubKey(at: 0)
        == Hex.decode("5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c"))
    #expect(
      try descriptor.address(at: 0, network: bitcoin)
        == "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr")
    #expect(
      try descriptor.address(at: 1, network: bitcoin)
        == "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh")
    #expect(
      try descriptor.address(at: 0, branch: 1, network: bitcoin)
        == "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7")
  }

  @Test func `the seeds of BIP-39`() throws {
    let vectors = try JSONDecoder().decode([[String]].self, from: Data(Published.file("bip39.json")))
    #expect(vectors.count == 24)
    let passphrase = try Self.secret("TREZOR")
    for vector in vectors {
      let words = try Self.secret(vector[1])
      let seed = try SeedPhrase.seed(words: words, passphrase: passphrase)
      #expect(seed.withBytes { bytes in Hex.encode(bytes.indices.map { bytes[$0] }) } == vector[2])
      let text = try Self.secret(vector[3])
      let expected = try ExtendedPrivateKey(parsing: text)
      let top = try ExtendedPrivateKey(seed: seed)
      #expect(try top.publicKey() == expected.publicKey())
    }
  }

  @Test(arguments: [15, 65])
  func `a seed of another length is none`(_ count: Int) throws {
    let seed = try SecretBytes.random(count: count)
    #expect(throws: ExtendedKeyError.seedLength) { _ = try ExtendedPrivateKey(seed: seed) }
  }
}
