import FuekiBackup
import FuekiCollectors
import FuekiSystem
import TestSupport
import Testing

/// Wallets in their programs' places, in a generated home.
struct WalletDiscoveryTests {
  /// A wallet as left by its program, and its expected description.
  private struct Sample {
    let program: String
    let path: String
    let encryption: WalletEncryption
    var content = "0123456789"
    var kind = "file"

    init(
      _ program: String, _ path: String, _ encryption: WalletEncryption, _ content: String = "0123456789",
      kind: String = "file"
    ) {
      (self.program, self.path, self.encryption) = (program, path, encryption)
      (self.content, self.kind) = (content, kind)
    }
  }

  private static let extensions = [
    "metamask": "nkbihfbeogaeaoehlefnkodbefgpgknn", "phantom": "bfnaelmomeimhlpmgjnjophhpkkoljpa",
    "rabby": "acmacodkjbdgmoleebolmdjonilkdbch", "coinbase-wallet": "hnfanknocfeofbddgcijnmhnfnkdnaad",
    "trust-wallet": "egjidjbpglichdcondbcbdnbeeppgdph", "keplr": "dmkamcknogkgcdfhhbddcghachkejeap",
    "tronlink": "ibnejdfjmmkpcnlpebklmnkoeoihofec", "binance-wallet": "fhbohimaelbohpjbbldcngcnapndodjp",
    "ronin": "fnjhmkhhmkbjkkabndcnnogagogbneec",
  ]

  /// At least one for every program in the table.
  private static let samples =
    [
      Sample("electrum", ".electrum/wallets/default_wallet", .yes, "QklFMQabcdef", kind: "electrum"),
      Sample("electrum", ".electrum/testnet/wallets/mine", .unknown, "{\n \"seed", kind: "electrum"),
      Sample("electrum-ltc", ".electrum-ltc/wallets/default_wallet", .unknown, "{", kind: "electrum"),
      Sample("electron-cash", ".electron-cash/wallets/a", .yes, "QklFMQ==", kind: "electrum"),
      Sample("sparrow", ".sparrow/wallets/first.mv.db", .yes, "H2encrypt\n01234567SPRW1\n", kind: "sparrow"),
      Sample("sparrow", ".sparrow/testnet/wallets/plain.mv.db", .no, "H:2,block:3", kind: "sparrow"),
      Sample("specter", ".specter/wallets/main/one.json", .notNeeded, kind: "multisig"),
      Sample("specter", ".specter/devices/cold.json", .unknown),
      Sample("liana", ".liana/bitcoin/lianad.sqlite3", .notNeeded),
      Sample("liana", ".liana/signet/mnemonics/mnemonic-0f1e2d3c.txt", .no),
      Sample("wasabi", ".walletwasabi/client/Wallets/Wallet0.json", .yes, kind: "wasabi"),
      Sample("bdk", ".bdk-bitcoin/main/wallet.sqlite", .notNeeded),
      Sample("joinmarket", ".joinmarket/wallets/wallet.jmdat", .yes),
      Sample("armory", ".armory/armory_2x_.wallet", .unknown),
      Sample("exodus", ".config/Exodus/exodus.wallet/seed.seco", .yes),
      Sample("monero", "Monero/wallets/main/main.keys", .yes),
      Sample("vultisig", "vultisig.db", .unknown),
      Sample("vultisig", ".vultisig/vault:0267db.json", .unknown),
      Sample("solana", ".config/solana/id.json", .no),
      Sample("bitcoin-core", ".bitcoin/wallet.dat", .unknown, kind: "bitcoin-core"),
      Sample("bitcoin-core", ".bitcoin/wallets/savings/wallet.dat", .unknown, kind: "bitcoin-core"),
      Sample("bitcoin-core", ".bitcoin/testnet3/wallets/test/wallet.dat", .unknown, kind: "bitcoin-core"),
      Sample(
        "bitcoin-core", "snap/bitcoin-core/common/.bitcoin/wallets/wallet.dat", .unknown, kind: "bitcoin-core"
      ),
      Sample("litecoin-core", ".litecoin/wallets/wallet.dat", .unknown, kind: "bitcoin-core"),
      Sample("dogecoin-core", ".dogecoin/wallet.dat", .unknown, kind: "bitcoin-core"),
      Sample("dash-core", ".dashcore/wallets/wallet.dat", .unknown, kind: "bitcoin-core"),
      Sample("zcashd", ".zcash/wallet.dat", .unknown),
      Sample("geth", ".ethereum/keystore/UTC--2026-01-01T00-00-00Z--00aa", .yes, kind: "keystore"),
      Sample("geth", ".ethereum/sepolia/keystore/UTC--1--00bb", .yes, kind: "keystore"),
      Sample("nethermind", ".nethermind/keystore/UTC--1", .yes, kind: "keystore"),
      Sample("foundry", ".foundry/keystores/deployer", .yes, kind: "keystore"),
      Sample("brownie", ".brownie/accounts/one.json", .yes, kind: "keystore"),
      Sample("lnd", ".lnd/data/chain/bitcoin/mainnet/channel.backup", .yes),
      Sample("lnd", ".lnd/data/chain/bitcoin/mainnet/wallet.db", .yes),
      Sample("core-lightning", ".lightning/bitcoin/hsm_secret", .no, String(repeating: "s", count: 32)),
      Sample("core-lightning", ".lightning/testnet/hsm_secret", .yes, String(repeating: "s", count: 73)),
      Sample("core-lightning", ".lightning/bitcoin/emergency.recover", .yes),
      Sample("core-lightning", ".lightning/bitcoin/lightningd.sqlite3", .notNeeded),
      Sample("eclair", ".eclair/node_seed.dat", .no),
      Sample("phoenixd", ".phoenix/seed.dat", .no),
      Sample("lighthouse", ".lighthouse/mainnet/validators/0xab/voting-keystore.json", .yes),
      Sample("lighthouse", ".lighthouse/mainnet/validators/slashing_protection.sqlite", .notNeeded),
      Sample("teku", ".local/share/teku/validator/slashprotection/ab.yml", .notNeeded),
      Sample("prysm", ".eth2validators/prysm-wallet-v2/direct/accounts/all-accounts.keystore.json", .yes),
      Sample("nimbus", "nimbus-eth2/build/data/shared_mainnet_0/validators/0xab/keystore.json", .yes),
      Sample("lodestar", ".local/share/lodestar/mainnet/keystores/0xab/voting-keystore.json", .yes),
      Sample("deposit-cli", "validator_keys/keystore-m_12381_3600_0_0_0-1.json", .yes),
      Sample("frost", ".config/frost/credentials.toml", .no, kind: "frost"),
      Sample(
        "firefox-extensions",
        ".mozilla/firefox/ab.default/storage/default/moz-extension+++0f-11^userContextId=1/idb/1.sqlite",
        .unknown),
      Sample("vultisig-export", "Downloads/Test-part1of2.vult", .unknown, kind: "vultisig"),
      Sample("validator-export", "Documents/slashing_protection.json", .notNeeded),
      Sample("keystore-export", "Downloads/UTC--2020--cc", .yes, kind: "keystore"),
      Sample("lnd-export", "Desktop/channel-all.backup", .yes),
      Sample("core-export", "Documents/wallet-2019.dat", .unknown, kind: "bitcoin-core"),
      Sample("coordinator-export", "Documents/multi.bsms", .notNeeded, kind: "multisig"),
      Sample("coldcard-export", "Downloads/backup-1.7z", .yes),
      Sample("labels-export", "Downloads/my-labels.jsonl", .notNeeded, kind: "bip329"),
      Sample("sygma-export", "Documents/0.keyshare", .no, kind: "multi-party-sig"),
      Sample("frost-export", "Documents/key-package-1.json", .no, kind: "frost"),
      Sample("fireblocks-export", "Downloads/fireblocks-backup.zip", .yes, kind: "fireblocks"),
      Sample("iofinnet-export", "Downloads/io.vault.json", .yes, kind: "io.finnet"),
      Sample("keepass", "Documents/Passwords.kdbx", .yes),
      Sample("ssh", ".ssh/id_ed25519", .unknown),
      Sample("ownd-export", "Downloads/ownd-backup.zip", .no, kind: "ownd"),
    ]
    + extensions.map { program, id in
      Sample(program, ".config/google-chrome/Default/Local Extension Settings/\(id)/000003.log", .yes)
    }

  /// The kinds of those with their own.
  private static let kinds = [
    ".config/solana/id.json": "solana",
    ".lnd/data/chain/bitcoin/mainnet/channel.backup": "lnd", "Desktop/channel-all.backup": "lnd",
    ".lightning/bitcoin/hsm_secret": "core-lightning", ".lightning/testnet/hsm_secret": "core-lightning",
    ".lightning/bitcoin/emergency.recover": "core-lightning",
    ".lighthouse/mainnet/validators/0xab/voting-keystore.json": "eip2335",
    ".lighthouse/mainnet/validators/slashing_protection.sqlite": "eip3076",
    ".local/share/teku/validator/slashprotection/ab.yml": "eip3076",
    ".eth2validators/prysm-wallet-v2/direct/accounts/all-accounts.keystore.json": "eip2335",
    "nimbus-eth2/build/data/shared_mainnet_0/validators/0xab/keystore.json": "eip2335",
    ".local/share/lodestar/mainnet/keystores/0xab/voting-keystore.json": "eip2335",
    "validator_keys/keystore-m_12381_3600_0_0_0-1.json": "eip2335",
    "Documents/slashing_protection.json": "eip3076", "Monero/wallets/main/main.keys": "monero",
    ".config/google-chrome/Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn/000003.log":
      "metamask",
  ]

  /// Creates a home with files.
  static func home(_ files: [(path: String, content: String)]) throws -> TemporaryDirectory {
    let home = try TemporaryDirectory()
    for (path, content) in files {
      let parts = PathParts(home.path(path))
      try Directory.makePrivateDirectories(parts.folder)
      try Directory.open(parts.folder).createFile(parts.name).pwriteAll(Array(content.utf8), at: 0)
    }
    return home
  }

  @Test func `every program's wallets are found, each once, and told as what they are`() throws {
    let home = try Self.home(Self.samples.map { ($0.path, $0.content) })
    let found = WalletDiscovery(home: home.path).run()
    #expect(found.unreadable.isEmpty)
    #expect(Set(found.places.map(\.program)) == Set(WalletProgram.all.map(\.id)))
    for sample in Self.samples {
      let path = home.path(sample.path)
      let places = found.places.filter { place in
        place.wallets.contains { path == $0 || path.hasPrefix("\($0)/") }
      }
      #expect(places.map(\.program) == [sample.program], "\(sample.path)")
      #expect(places.first?.encryption == sample.encryption, "\(sample.path)")
      #expect(places.first?.kind == Self.kinds[sample.path] ?? sample.kind, "\(sample.path)")
      #expect(places.first?.byteCount == UInt64(sample.content.utf8.count), "\(sample.path)")
      #expect(places.first?.changed != nil && places.first?.uses.isEmpty == true)
    }
    #expect(found.places.reduce(0) { $0 + $1.wallets.count } == Self.samples.count)
    let quick = WalletDiscovery(home: home.path).runQuickly()
    #expect(quick.places.map(\.wallets) == found.places.map(\.wallets))
    #expect(quick.places.map(\.sources) == found.places.map(\.sources))
  }

  @Test(arguments: [
    ".config/google-chrome-unstable/Default", ".config/microsoft-edge-beta/Default",
    ".config/microsoft-edge-dev/Profile 1", ".config/BraveSoftware/Brave-Browser-Beta/Default",
    ".config/BraveSoftware/Brave-Browser-Nightly/Default", ".config/vivaldi-snapshot/Default",
    "snap/opera/current/.config/opera", "snap/brave/current/.config/BraveSoftware/Brave-Browser/Default",
    ".var/app/com.opera.Opera/config/opera", ".config/opera-beta/Default",
  ])
  func `an extension of a channel of a browser is found, and goes back`(_ profile: String) throws {
    let path = "\(profile)/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn/000003.log"
    try expectFound(path, kind: "metamask")
  }

  @Test(arguments: [
    ".config/mozilla/firefox/a.default", ".librewolf/a.default", ".config/librewolf/librewolf/a.default",
    "snap/firefox/common/.mozilla/firefox/a.default", ".var/app/org.mozilla.firefox/config/mozilla/firefox/a",
    ".var/app/io.gitlab.librewolf-community/.librewolf/a",
  ])
  func `extensions of Firefox are found wherever its profiles are, and go back`(_ profile: String) throws {
    try expectFound("\(profile)/storage/default/moz-extension+++0f-11^userContextId=1/idb/1.sqlite")
  }

  @Test(arguments: [
    "channel.backup", "channel (1).backup", "lnd-channel.backup", "channel-all.bak",
    "ChannelBackup-02ab-01022026103000.txt",
  ])
  func `a channel backup is found under the names that nodes' pages save it as`(_ name: String) throws {
    try expectFound("Downloads/\(name)", kind: "lnd")
  }

  @Test(arguments: [
    ("crypto/wallet.dat", "bitcoin-core"), ("crypto/old/mine.keys", "monero"),
    ("crypto/a/b/UTC--2020--cc", "keystore"), ("crypto/Passwords.kdbx", "file"),
    ("crypto/Monero/wallets/main/main.keys", "monero"), ("crypto/.electrum/wallets/a", "electrum"),
  ])
  func `wallets of known formats in a folder of one's own are found, and go back`(
    _ path: String, _ kind: String
  ) throws {
    try expectFound(path, kind: kind)
  }

  /// Expects one wallet in a home with one file, and that the file may be put back.
  private func expectFound(
    _ path: String, kind: String = "file", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let home = try Self.home([(path, "0123456789")])
    let wallets = WalletDiscovery(home: home.path).run().places.flatMap { place in
      place.wallets.map { (path: $0, kind: place.kind) }
    }
    #expect(wallets.count == 1, "\(wallets)", sourceLocation: sourceLocation)
    let whole = home.path(path)
    #expect(
      wallets.allSatisfy { $0.kind == kind && (whole == $0.path || whole.hasPrefix("\($0.path)/")) },
      "\(wallets)", sourceLocation: sourceLocation)
    #expect(
      WalletPlaces(home: home.path).answer(path.split(separator: "/").map { Array($0.utf8) }, .unread)
        == .open,
      sourceLocation: sourceLocation)
  }

  @Test func `only a validator's key of Solana is one that two machines may not run with`() throws {
    let danger = { (name: String) throws -> [WalletDanger] in
      let home = try Self.home([(".config/solana/\(name)", "[1]")])
      return WalletDiscovery(home: home.path).run().places.flatMap(\.dangers)
    }
    #expect(try danger("id.json") == [.clearSecret])
    #expect(try danger("savings-keypair.json") == [.clearSecret])
    #expect(try danger("validator-keypair.json") == [.clearSecret, .signsTwice])
  }

  /// The first page of a Berkeley DB file, as in legacy wallets of Bitcoin Core.
  private static let legacy = String(repeating: "\0", count: 12) + "\u{62}\u{31}\u{05}\0" + "main"
  private static let database = "SQLite format 3\0CREATE TABLE main(key BLOB PRIMARY KEY"

  @Test func `wallets of Bitcoin Core are found in nested folders, and by their content under any name`()
    throws
  {
    let wallets = [
      ".bitcoin/wallet.dat", ".bitcoin/old.dat", ".bitcoin/wallets/family/savings/wallet.dat",
      ".bitcoin/wallets/old.dat", ".bitcoin/wallets/a/copy of 2019", ".bitcoin/testnet3/other.dat",
      ".bitcoin/signet/wallets/a/b/c/wallet.dat", ".bitcoin/wallets/caf\u{10FEE9}/wallet.dat",
      ".bitcoin/wallets/caf\u{E9}/wallet.dat", ".bitcoin/wallets/cafe\u{301}/wallet.dat",
    ]
    let others = [
      ".bitcoin/peers.dat", ".bitcoin/fee_estimates.dat", ".bitcoin/wallets/a/wallet.dat-journal",
    ]
    let contents = wallets.enumerated().map { ($1, $0.isMultiple(of: 2) ? Self.legacy : Self.database) }
    let home = try Self.home(contents + others.map { ($0, "0123456789") })
    let root: String = home.path
    for found in [WalletDiscovery(home: root).run(), WalletDiscovery(home: root).runQuickly()] {
      let paths = found.places.flatMap(\.wallets).map(\.pathBytes)
      #expect(paths.count == wallets.count)
      #expect(Set(paths) == Set(wallets.map { "\(root)/\($0)".pathBytes }))
      #expect(found.places.allSatisfy { $0.kind == "bitcoin-core" })
    }
  }

  @Test func `Opera keeps its first profile with no folder between`() throws {
    let folder = "Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn"
    let profiles = [
      ".config/opera", ".config/opera/Default", ".config/opera/_side_profiles/a",
      ".var/app/com.opera.Opera/config/opera",
    ]
    let home = try Self.home(profiles.map { ("\($0)/\(folder)/000003.log", "0123456789") })
    let root: String = home.path
    let found = WalletDiscovery(home: root).run().places
    #expect(Set(found.map(\.path)) == Set(profiles.map { "\(root)/\($0)/\(folder)" }))
    #expect(found.count == profiles.count && found.allSatisfy { $0.kind == "metamask" })
  }

  @Test func `an empty home has none, and neither have empty folders and files`() throws {
    #expect(WalletDiscovery(home: try Self.home([]).path).run().places.isEmpty)
    let home = try Self.home([
      (".bitcoin/old.dat", ""), (".zcash/wallet.dat", ""), ("Downloads/wallet-1.dat", ""),
    ])
    try Directory.makePrivateDirectories(home.path(".electrum/wallets"))
    let found = WalletDiscovery(home: home.path).run()
    #expect(found.places.isEmpty && found.unreadable.isEmpty)
    // Nothing but a wallet has this name: it is one that was lost.
    let lost = try Self.home([(".bitcoin/wallet.dat", "")])
    #expect(WalletDiscovery(home: lost.path).run().places.map(\.kind) == ["bitcoin-core"])
  }

  @Test func `applications of Flatpak and Snap have homes of their own`() throws {
    let home = try Self.home([
      (".var/app/org.electrum.electrum/.electrum/wallets/a", "{"),
      (
        ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/Default/Local Extension Settings/"
          + "nkbihfbeogaeaoehlefnkodbefgpgknn/1.log", "x"
      ),
      ("snap/electrum/12/.electrum/wallets/b", "{"),
    ])
    let link = try BuiltBinary.run(program: "/bin/ln", ["-s", "12", home.path("snap/electrum/current")])
    #expect(link.status == 0)
    let found = WalletDiscovery(home: home.path).run()
    #expect(
      found.places.map { $0.path.dropFirst(home.path.count) } == [
        "/.var/app/org.electrum.electrum/.electrum/wallets", "/snap/electrum/current/.electrum/wallets",
        "/.var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/Default/Local Extension Settings/"
          + "nkbihfbeogaeaoehlefnkodbefgpgknn",
      ])
  }

  @Test func `a disk is searched where it is named`() throws {
    let home = try Self.home([])
    let disk = try Self.home([
      ("old/saved/UTC--1", "x"), (".electrum/wallets/w", "{"), ("a/b/c/UTC--too-deep", "x"),
    ])
    #expect(WalletDiscovery(home: home.path).run().places.isEmpty)
    let found = WalletDiscovery(home: home.path, disks: [disk.path]).run()
    #expect(
      Set(found.places.flatMap(\.wallets)) == [
        disk.path(".electrum/wallets/w"), disk.path("old/saved/UTC--1"),
      ])
  }

  @Test func `what stands beside wallets is none`() throws {
    let home = try Self.home([
      (".electrum/wallets/a", "{"), (".electrum/wallets/a~", "{"), (".electrum/wallets/a.tmp.77", "{"),
      (".electrum/wallets/.hidden", "{"),
    ])
    #expect(
      WalletDiscovery(home: home.path).run().places.first?.wallets == [home.path(".electrum/wallets/a")])
  }

  @Test func `a link to a directory among wallets is no wallet, and its contents are not counted`() throws {
    let home = try Self.home([
      (".electrum/wallets/a", "{"), (".sparrow/wallets/b.mv.db", "H:2,block:3"),
      ("elsewhere/much", String(repeating: "x", count: 5000)),
      (".electrum/wallets/folder/c", "{\"more\": 1}"),
    ])
    for place in [".electrum/wallets/link", ".sparrow/wallets/link"] {
      let made = try BuiltBinary.run(program: "/bin/ln", ["-s", home.path("elsewhere"), home.path(place)])
      #expect(made.status == 0)
    }
    let found = WalletDiscovery(home: home.path).run().places
    #expect(found.first { $0.program == "electrum" }?.wallets == [home.path(".electrum/wallets/a")])
    #expect(found.first { $0.program == "electrum" }?.byteCount == 1)
    #expect(found.first { $0.program == "sparrow" }?.byteCount == 11)
  }

  @Test func `a folder of more than wallets is named by patterns`() throws {
    let home = try Self.home([
      (".liana/bitcoin/lianad.sqlite3", "x"), (".liana/bitcoin/bitcoind/blocks", "much"),
    ])
    let place = try #require(WalletDiscovery(home: home.path).run().places.first)
    #expect(place.sources == [home.path(".liana/*/lianad.sqlite3")])
    #expect(place.byteCount == 1)
  }
}
