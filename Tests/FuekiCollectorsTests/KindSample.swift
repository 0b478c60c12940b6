import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

extension CollectionRequest {
  /// A request for a backup with files that have secrets in the clear.
  static var wholeBackup: CollectionRequest {
    var request = CollectionRequest.forBackup
    request.includesPrivateKeys = true
    return request
  }
}

/// A sound file of a kind, as its program names it.
struct KindSample: Sendable {
  let kind: String
  let name: String
  let bytes: [UInt8]
  /// Whether no other file has such a name, so that the name alone says what the file is.
  var isTypical = true
  /// The name of another file of the kind next to it.
  var neighbour: String

  init(_ kind: String, _ name: String, _ bytes: [UInt8], isTypical: Bool = true, neighbour: String) {
    (self.kind, self.name, self.bytes, self.neighbour) = (kind, name, bytes, neighbour)
    self.isTypical = isTypical
  }

  /// A file of the fuzz tests' corpus, of which those of all kinds begin with the kind's number.
  private static func corpus(_ name: String) throws -> [UInt8] {
    let bytes = try File.open("\(SourceTree.path)/Tests/Fuzz/Corpus/\(name)").readAll(limit: 1 << 20)
    return name.hasPrefix("foreign/") ? Array(bytes.dropFirst()) : bytes
  }

  /// One sample of each kind.
  ///
  /// A kind without one fails `every kind has a sample`.
  static func all() throws -> [KindSample] {
    let polynomial = SamplePolynomial(curve: .secp256k1, threshold: 2)
    let seed = Array(UInt8(1)...32)
    let solana = seed + (try Ed25519.publicKey(seed: try SecretBytes(copying: seed.span)).bytes)
    let page = [UInt8](repeating: 0, count: 4096)
    let database = Array("H2encrypt\n01234567SPRW1\n0123456789abcdef".utf8)
    let share: [UInt8] =
      [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 0, 32] + polynomial.value(1) + (try polynomial.key)
    let keystore = "UTC--2017-01-01T00-00-00.000000000Z--7ef5a6135f1fd6a02593eedc869c6d41d934aef"
    return [
      KindSample(
        "vultisig", "family-part1of2.vult", try SampleVault().file(), neighbour: "work-part1of2.vult"),
      KindSample("frost", "key-package-1.json", try corpus("foreign/frost"), neighbour: "key-package-2.json"),
      KindSample(
        "cggmp21", "share", try corpus("foreign/cggmp21"), isTypical: false, neighbour: "another"),
      KindSample(
        "multi-party-sig", "0.keyshare", try corpus("foreign/multi-party-sig"), neighbour: "1.keyshare"),
      KindSample(
        "dkls23", "share", try dklsKeyshare(polynomial, own: 0, total: 2), isTypical: false,
        neighbour: "another"),
      KindSample(
        "fireblocks", "fireblocks-backup.zip", try corpus("foreign/fireblocks"),
        neighbour: "fireblocks-old.zip"),
      KindSample(
        "io.finnet", "io.vault.json", try corpus("foreign/io.finnet"), neighbour: "io.vault-old.json"),
      KindSample(
        "unstoppable", "phone.json", try corpus("foreign/unstoppable"), isTypical: false,
        neighbour: "old.json"),
      KindSample(
        "eip2335", "voting-keystore.json", try corpus("eip2335/pbkdf2"),
        neighbour: "keystore-m_12381_3600_1.json"),
      KindSample(
        "eip3076", "slashing_protection.json", try corpus("eip3076/record"),
        neighbour: "slashing_protection_old.json"),
      KindSample(
        "lnd", "channel.backup", (0..<200).map { UInt8($0) ^ 0x5a }, neighbour: "channel-all.backup"),
      KindSample(
        "solana", "id.json", Array("[\(solana.map(String.init).joined(separator: ","))]".utf8),
        neighbour: "b-keypair.json"),
      KindSample(
        "core-lightning", "hsm_secret", [UInt8](repeating: 7, count: 32), neighbour: "hsm_secret.old"),
      KindSample(
        "metamask", "vault.json", try corpus("metamask/state"), isTypical: false, neighbour: "old.json"),
      KindSample("monero", "mine.keys", try MoneroSample().bytes(), neighbour: "other.keys"),
      KindSample(
        "wasabi", "Wallet0.json", Array(WasabiTests.text().utf8), isTypical: false,
        neighbour: "Wallet1.json"),
      KindSample(
        "polkadot", "FLiSDPCcJ6auZUGXALLj6jpahcP6adVFDBUQznPXUQ7yoqH.json",
        Array(PolkadotTests.published.utf8), isTypical: false, neighbour: "other.json"),
      KindSample("keystore", keystore + "8", try corpus("keystore/scrypt"), neighbour: keystore + "9"),
      KindSample("tss-lib", "share", Array(ShareFile().text.utf8), isTypical: false, neighbour: "another"),
      KindSample(
        "fueki-app", "backup-1.json", Array(`Bundles of the Fueki app`.whole.utf8), isTypical: false,
        neighbour: "backup-2.json"),
      KindSample(
        "fueki-vault", "vault.fueki", try corpus("foreign/vault"), isTypical: false, neighbour: "old.fueki"),
      KindSample("ownd", "ownd-backup.zip", try corpus("foreign/ownd-0"), neighbour: "ownd-old.zip"),
      KindSample(
        "electrum", "savings", Array(ElectrumSample.whole.utf8), isTypical: false, neighbour: "default_wallet"
      ),
      KindSample("fueki-share", "share", share, isTypical: false, neighbour: "another"),
      KindSample("bitcoin-core", "wallet.dat", try corpus("foreign/wallet"), neighbour: "old/wallet.dat"),
      KindSample("multisig", "multi.bsms", try corpus("foreign/bsms"), neighbour: "other.bsms"),
      KindSample(
        "sparrow", "mine.mv.db", database + page.dropFirst(database.count) + page, neighbour: "other.mv.db"),
      KindSample("bip329", "my-labels.jsonl", try corpus("foreign/labels"), neighbour: "old-labels.jsonl"),
      KindSample(
        "vcard", "contacts.vcf", try corpus("foreign/vcard"), neighbour: "old.vcf"),
      KindSample(
        "csv-contacts", "contacts.csv", try corpus("foreign/csv"), isTypical: false,
        neighbour: "old.csv"),
      KindSample("file", "notes.txt", Array("notes".utf8), isTypical: false, neighbour: "other.txt"),
    ]
  }
}
