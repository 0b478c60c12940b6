import FuekiSystem
import Glibc
import TestSupport
import Testing

/// A file of a kind, with the name that its program uses.
struct KindFile: Sendable, CustomTestStringConvertible {
  let kind: String
  let name: String
  /// Returns its bytes; nil if they are unavailable on this machine.
  let bytes: @Sendable () -> [UInt8]?

  init(_ kind: String, _ name: String, _ bytes: @escaping @Sendable () -> [UInt8]?) {
    (self.kind, self.name, self.bytes) = (kind, name, bytes)
  }

  var testDescription: String { kind }
}

/// Right after `create` nothing differs from the machine, and a drill brings everything back, whatever the kind.
struct KindDrillTests {
  private static let python = "/usr/bin/python3"

  /// Where the scripts write; it is removed when the tests end.
  private static let root: String = {
    atexit { _ = try? BuiltBinary.run(program: "/bin/rm", ["-rf", root]) }
    return "\(Environment.get("TMPDIR") ?? "/tmp")/fueki-kinds-\(UInt64.random(in: .min ... .max))"
  }()

  /// A folder that a script of the tests filled; nil if it does not run here.
  private static func made(_ script: String) -> String? {
    let folder = "\(root)/\(script)"
    guard (try? Directory.makePrivateDirectories(folder)) != nil,
      let run = try? BuiltBinary.run(
        program: python, ["\(SourceTree.path)/Tests/Foreign/\(script)", folder]), run.status == 0
    else { return nil }
    return folder
  }

  private static let encrypted = made("foreign_files.py")
  private static let core = made("core_wallet_files.py")

  private static func text(_ kind: String, _ name: String, _ text: String) -> KindFile {
    KindFile(kind, name) { Array(text.utf8) }
  }

  private static func own(_ kind: String, _ name: String, _ folder: String?) -> KindFile {
    KindFile(kind, name) { folder.flatMap { try? File.open("\($0)/\(name)").readAll(limit: 1 << 24) } }
  }

  private static func published(_ kind: String, _ path: String, as name: String? = nil) -> KindFile {
    KindFile(kind, name ?? PathParts(path).name) { try? Fixtures.file(path) }
  }

  private static let publicKey =
    "9612d7a727c9d0a22e185a1c768478dfe919cada9266988cb32359c11f2b7b27f4ae4040902382ae2910c15e2b420d07"

  private static let all: [KindFile] = [
    text("electrum", "default_wallet", ImportedFiles.electrum),
    text("keystore", "UTC--one", ImportedFiles.keystore),
    text("fueki-app", "backup-1.json", ImportedFiles.contacts["first.json"] ?? ""),
    text(
      "bip329", "labels.jsonl",
      #"{"type":"addr","ref":"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq","label":"rent"}"# + "\n"),
    text(
      "vcard", "people.vcf",
      "BEGIN:VCARD\nVERSION:4.0\nFN:A\nX-ETH:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\nEND:VCARD\n"),
    text("csv-contacts", "people.csv", "name,address\nA,bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq\n"),
    text("file", "words", "the words of a wallet"),
    // The first of RFC 8032's keys, whose secret is public.
    text(
      "solana", "id.json",
      "[157,97,177,157,239,253,90,96,186,132,74,244,146,236,44,196,68,73,197,105,123,50,105,25,112,59,172,3,28,174,127,"
        + "96,215,90,152,1,130,177,10,183,213,75,254,211,201,100,7,58,14,225,114,243,218,166,35,37,175,2,26,104,247,7,81,26]"
    ),
    KindFile("core-lightning", "hsm_secret") { (1...32).map { UInt8($0) } },
    text(
      "eip3076", "slashing.json",
      #"{"metadata":{"interchange_format_version":"5","genesis_validators_root":"0x"#
        + String(repeating: "01", count: 32) + #""},"data":[{"pubkey":"0x\#(publicKey)","signed_blocks":[],"#
        + #""signed_attestations":[{"source_epoch":"1","target_epoch":"2"}]}]}"#),
    text(
      "multisig", "wallet.txt",
      "Name: Savings\nPolicy: 2 of 2\nDerivation: m/48'/0'/0'/2'\nFormat: P2WSH\n\n"
        + "8188029F: xpub6EMVvcTUbaABdaPLaVWE72CjcN72URa5pKK1knrKLz1hKaDwUkgddc3832a8MHEpLyuow7MfjMRomt2iMtwPH4pWrFLft4JsquHjeZfKsYp\n"
        + "3BD5C9B0: xpub6EbTHAgvzZtVppjLPXia2prt6T2w7DD2VQ8gysgV6ECzmKkA6zt4WR3hX4bgciTDrnaneZoJbA19tYKBMrWuA89SbgYAdbMNWmtzrgLhqco\n"
    ),
    KindFile("sparrow", "savings.mv.db") {
      let page = [UInt8](repeating: 7, count: 4096)
      return Array("H:2,block:3,".utf8) + page.dropFirst(12) + page + page
    },
    text(
      "wasabi", "Wallet0.json",
      #"{"EncryptedSecret":"6PYSocGEa4k2XEDypqgMLSVfE4pNemeiioTNzgdMb1H4X2Geny2gpjQsgC","#
        + #""ChainCode":"ZMqSU1H1VTgS1XokqYMyKCQfD5zxuF0OFqdJIhzab54=","MasterFingerprint":"a60e43c8","#
        + #""ExtPubKey":"xpub6BkRV4gFz75r7rp43Qcn6pZ38EVwk4R3aseBx4pccRxAKHLsP5myL2oLDcXg5zH8sLoc9yV938k5zzu2QBQefhRc9gzqqrMcWooT1gmuVbj"}"#
    ),
    own("unstoppable", "unstoppable-full.json", encrypted), own("fueki-vault", "vault.fueki", encrypted),
    own("ownd", "ownd-2.zip", encrypted), own("fueki-share", "share.bin", encrypted),
    own("bitcoin-core", "plain.dat", core),
    published("vultisig", "wallets/vultisig/Test-part1of2.vult"),
    published("frost", "wallets/frost/secret_share-ed25519-t3-a.json"),
    published("cggmp21", "wallets/cggmp21/full/t2n3-secp256k1-party0.json"),
    published("multi-party-sig", "wallets/multi-party-sig/cmp-wrapped/keygen_result_a.data"),
    published("dkls23", "wallets/dkls23/dkls-ecdsa-party0.bin"),
    published("fireblocks", "wallets/fireblocks/backup_new.zip"),
    published("io.finnet", "wallets/iofinnet/new_single.json"),
    published("eip2335", "wallets/eip2335/testKeystore.json"),
    published("lnd", "wallets/lnd-scb/taproot.backup", as: "channel.backup"),
    published("metamask", "wallets/metamask/vault-chrome-119.json"),
    published("monero", "monero/wallet_00fd416a.keys"), published("tss-lib", "tss-lib/keygen_data_0.json"),
  ]

  private static let here = all.filter { $0.bytes() != nil }

  /// A machine with these files, each a source of its kind.
  private static func machine(_ files: [KindFile]) throws -> Machine {
    let machine = try Machine(isPrepared: false)
    var text = "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n[[vault]]\nfrom = []\n"
    for (number, file) in files.enumerated() {
      let path = "home/\(number)-\(file.kind)/\(file.name)"
      try Directory.makePrivateDirectories(machine.path(PathParts(path).folder))
      try machine.write(try #require(file.bytes()), to: path)
      text += "[[source]]\nkind = \"\(file.kind)\"\npath = \"\(machine.path(path))\"\n"
    }
    try machine.write(text, to: "config.toml")
    return machine
  }

  private static func expectSame(_ files: [KindFile]) throws {
    let machine = try machine(files)
    let settings = ["--config", machine.path("config.toml")] + machine.archiveSecret
    let made = try machine.run(["create"] + settings + Machine.quick)
    // A share whose group is not whole is reported, and kept.
    #expect([0, 3, 60].contains(made.status), "\(made.text)\(made.errors)")
    #expect(try machine.archives().count == 1)
    for live in [["--live"], ["--live", "--no-sandbox"]] {
      let diff = try machine.run(["diff", "latest", "--exit-code"] + live + settings)
      #expect(diff.status == 0 && diff.text.contains("nothing differs"), "\(diff.text)\(diff.errors)")
    }
    let drill = try machine.run(["drill"] + settings)
    #expect(
      drill.text.contains("the wallet has not changed since the archive"), "\(drill.text)\(drill.errors)")
    // The drill finds only faults that `create` found.
    #expect(drill.status == (made.status == 60 ? drill.status : 0), "\(drill.text)\(drill.errors)")
  }

  @Test(arguments: here) func `nothing differs right after a backup of one kind`(_ file: KindFile)
    throws
  {
    try Self.expectSame([file])
  }

  @Test(arguments: TestSeed.sample(Array(here.indices), of: 10))
  func `nothing differs right after a backup of two kinds, whichever they are`(_ number: Int) throws {
    // With enough seeds each meets each other one.
    let distance = 1 + TestSeed.value % max(1, Self.here.count - 1)
    try Self.expectSame([Self.here[number], Self.here[(number + distance) % Self.here.count]])
  }

  @Test func `nothing differs right after a backup of all kinds`() throws { try Self.expectSame(Self.here) }
}
