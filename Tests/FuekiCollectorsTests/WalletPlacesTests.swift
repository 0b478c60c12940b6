import FuekiBackup
import FuekiCollectors
import Testing

/// The places of a home directory to which files may be put back.
struct WalletPlacesTests {
  private func answer(
    _ path: String, _ content: PlacedContent = .unread, moved: [(folder: String, place: String)] = []
  ) -> HomeAnswer {
    WalletPlaces(home: "/home/a", moved: moved)
      .answer(path.split(separator: "/").map { Array($0.utf8) }, content)
  }

  /// Whether a file goes there without a question.
  private func allows(
    _ path: String, _ content: PlacedContent = .unread, moved: [(folder: String, place: String)] = []
  ) -> Bool {
    [.open, .newFolder].contains(answer(path, content, moved: moved))
  }

  @Test func `every place of every program is open`() {
    for program in WalletProgram.all {
      for path in program.walletPaths.flatMap(program.paths) {
        let one = path.replacing("**", with: "a/b").replacing("*", with: "x")
        #expect(allows(one), "\(program.id): \(one)")
      }
    }
  }

  @Test(arguments: [
    ".bitcoin/wallet.dat-journal", ".bitcoin/database/log.0000000001", ".bitcoin/wallets/a/b/wallet.dat-wal",
    ".bitcoin/wallets/a/database/log.0000000002", ".bitcoin/asked", ".bitcoin/testnet3/asked",
    ".local/share/monero-wallet/mine", ".local/share/monero-wallet/mine.keys",
    ".local/share/monero-wallet/mine.address.txt", ".lightning/bitcoin/lightningd.sqlite3-wal",
    ".lnd/data/graph/mainnet/channel.db", ".config/Exodus/exodus.wallet/seed.seco",
    ".config/google-chrome/Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn/000003.log",
    "snap/electrum/current/.electrum/wallets/x", ".var/app/io.exodus.Exodus/config/Exodus/exodus.wallet/a",
    "Documents/keys/seed.txt", "crypto/wallet.dat", "crypto/my wallet", "Monero/wallets/a/a.keys",
    ".lnd/data/graph/mainnet/channel.db.fueki-hold", ".electrum/wallets/old wallet 2.0",
    ".mozilla/firefox/a/storage/default/moz-extension+++b/.metadata-v2",
    ".mozilla/firefox/a/storage/default/moz-extension+++b/idb/1.sqlite-wal",
    ".eth2validators/direct/accounts/all-accounts.keystore.json", ".lighthouse/mainnet/wallets/a/a",
    ".local/share/lodestar/mainnet/validator-db/MANIFEST-000004", "savings/UTC--2021-02-03T04-05-06.7Z--ab",
    "savings/metamask/000003.log", "teku/validators/slashprotection/0xab.yml", "savings/a.sqlite-journal",
    "Documents/Vault-part1of2.vult", "people.vcf", "labels.jsonl", "f\r", "dot.", "caf\u{E9}",
  ])
  func `what belongs to a wallet is open, and so is a folder of documents`(_ path: String) {
    #expect(allows(path))
  }

  @Test(arguments: [
    "", ".bashrc", ".bitcoin", ".bitcoin/settings.json", ".bitcoin/bitcoin.conf", ".bitcoin/a.b/c",
    ".lightning/bitcoin/config", ".electrum/wallets", ".electrum", ".config/solana", ".bitcoin/database/x",
    ".local/database/log.1", ".local/share/x.keys", ".electrum/recent/wallets-x", "bin/x", "Bin/x",
    "GO/x.json", "Documents/run.sh", "Documents/RUN.SH", "Documents/.x/seed.txt", "x.desktop",
    ".config/google-chrome/Default/Preferences", "snap/electrum/current/x",
    "snap/other/current/.electrum/wallets/x",
  ])
  func `what belongs to a program and to no wallet is closed`(_ path: String) {
    #expect(!allows(path))
  }

  @Test func `a folder that a variable moves within the home counts as its usual place`() {
    #expect(!allows(".cfg/solana/id.json"))
    #expect(allows(".cfg/solana/id.json", moved: [(".config", "/home/a/.cfg")]))
    #expect(!allows(".cfg/solana/id.json", moved: [(".config", "/home/b/.cfg")]))
    #expect(!allows(".cfg/other/id.json", moved: [(".config", "/home/a/.cfg")]))
  }

  @Test(arguments: [
    "project/cdk.json", "project/nodemon.json", "firebase.json", "project/PKGBUILD", "ops/inventory",
    "project/AGENTS.md", "notes/a.txt",
  ])
  func `a name of data from which tools take commands is open to a new folder only`(_ path: String) {
    #expect(answer(path, .other) == .newFolder)
  }

  @Test func `a file that is no wallet's is the user's own, and needs a new folder`() {
    #expect(answer("papers/letter.odt") == .own(folder: 1))
    #expect(answer("papers/2024/run.sh") == .own(folder: 2))
    #expect(answer("letter.odt") == .own(folder: 0))
    // Programs load what is in such a folder, so that around it must be new.
    #expect(answer("project/sub/plugins/a/b.js") == .own(folder: 2))
    #expect(answer("plugins/b.js") == .own(folder: 0))
    for path in [".papers/letter.odt", "papers/.git/letter.odt", "papers/.envrc", "bin/letter.odt"] {
      #expect(answer(path) == .closed, "\(path)")
    }
  }

  @Test(arguments: ["crypto/wallet.dat", "people.vcf", "labels.jsonl", "papers/scan.pdf"])
  func `a name that no tool obeys is open to any folder`(_ path: String) {
    #expect(answer(path, .other) == .open)
  }

  // MARK: a stolen signing key

  /// Places next to wallets that do not belong to one.
  private static let neighbours = [
    ".armory/x.wallet/a.sh", ".bdk-bitcoin/config.toml", ".bdk-bitcoin/a.sh", ".bitcoin/wallet.dat/a.sh",
    ".bitcoin/wallets/x/a.sh", ".bitcoin/wallets/a.so",
    ".config/Exodus/exodus.wallet/a.js", ".config/Exodus/exodus.wallet/config.json",
    ".config/google-chrome/Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn/a.js",
    ".config/solana/cli/config.yml", ".electrum/wallets/x/plugins/a.py", ".eth2validators/a.sh",
    ".eth2validators/remote/config.yaml", ".eth2validators/prysm-wallet-v2/auth-token",
    ".ethereum/keystore/a.js", ".ethereum/keystore/x/a.js", ".foundry/keystores/a.sh",
    ".lighthouse/mainnet/validators/validator_definitions.yml",
    ".lighthouse/mainnet/validators/api-token.txt", ".lighthouse/mainnet/wallets/x/a.sh",
    ".lightning/emergency.recover.sh", ".lightning/bitcoin/hsm_secret.sh", ".lightning/x.sqlite3/a.sh",
    ".lnd/data/chain/bitcoin/mainnet/admin.macaroon", ".lnd/data/graph/mainnet/a.conf",
    ".local/share/lodestar/mainnet/validator-db/a.js", ".local/share/teku/validator/key-passwords/a.sh",
    ".mozilla/firefox/a/storage/default/moz-extension+++x/a.js", ".sparrow/wallets/a.sh",
    ".sparrow/wallets/b/a.js", ".specter/wallets/x/a.py", ".zcash/wallet.dat/a.sh",
  ]
  /// Files in directories that are not hidden, from which programs take commands.
  private static let commands = [
    "BUILD", "CMakeLists.txt", "Cargo.toml", "Dockerfile", "Gemfile", "Jenkinsfile", "Justfile", "Makefile",
    "Procfile", "Rakefile", "SConstruct", "Taskfile.yml", "Vagrantfile", "WORKSPACE", "a.awk", "a.chm",
    "a.clj", "a.command", "a.crontab", "a.docm", "a.egg-link", "a.groovy", "a.html", "a.inetloc", "a.ipynb",
    "a.iqy", "a.jl", "a.jnlp", "a.jse", "a.library-ms", "a.lisp", "a.m", "a.odt", "a.ovpn", "a.pif", "a.ps",
    "a.psm1", "a.R", "a.rdp", "a.scm", "a.settingcontent-ms", "a.slk", "a.spec", "a.sty", "a.svg", "a.tcsh",
    "a.terminal", "a.theme", "a.torrent", "a.vbe", "a.webloc", "a.workflow", "a.wsf", "a.xhtml", "a.xlsm",
    "build.gradle.kts", "build.rs", "build.xml", "compose.yaml", "composer.json", "configure", "crontab",
    "docker-compose.yml", "go.mod", "libx.so.1", "meson.build", "mimeapps.list", "package.json",
    "path.bash.inc", "pom.xml", "procmailrc", "pyproject.toml", "repo.git/config", "repo.git/description",
    "rpm/macros", "venv/bin/activate", "venv/lib/python3/site-packages/a.txt", "wscript",
    "node_modules/a/a.json", "x/etc/profile.d/a", "x/hooks/update", "x/sbin/a", "x/startup/a",
  ]

  @Test(arguments: neighbours)
  func `next to a wallet only what belongs to it is placed`(_ path: String) {
    #expect(!allows(path, .other))
    #expect(!allows(path))
  }

  @Test(arguments: commands)
  func `no file from which a program may take commands is placed among documents`(_ name: String) {
    #expect(!allows("project/\(name)"))
    #expect(!allows("umbrel/app-data/lightning/\(name)"))
    #expect(!allows(name.uppercased()) && !allows("project/\(name.lowercased())"))
  }

  @Test(arguments: [
    ".bitcoin/peers.dat", ".bitcoin/anchors.dat", ".bitcoin/onion_v3_private_key", ".bitcoin/x",
    ".bitcoin/testnet3/mempool.dat", ".bitcoin/wallets/x/settings", ".bitcoin/wallets/x/database/log.evil",
  ])
  func `where a wallet may have any name its content decides`(_ path: String) {
    #expect(!allows(path, .other))
    #expect(allows(path, .database))
  }

  @Test func `content is recognised by its beginning`() {
    func content(_ bytes: [UInt8]) -> PlacedContent { PlacedContent(beginning: bytes.span) }
    #expect(content(Array("SQLite format 3\0".utf8)) == .database)
    #expect(content([UInt8](repeating: 0, count: 12) + [0x62, 0x31, 0x05, 0]) == .database)
    #expect(content([UInt8](repeating: 0, count: 12) + [0, 5, 0x31, 0x62]) == .database)
    #expect(content([]) == .other)
    #expect(content(Array("SQLite format 3".utf8)) == .other)
    #expect(content([UInt8](repeating: 0, count: 12) + [0x62, 0x31, 0x05]) == .other)
  }
}
