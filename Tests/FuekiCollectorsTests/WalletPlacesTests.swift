import FuekiCollectors
import Testing

/// The places of a home directory to which files may be put back.
struct WalletPlacesTests {
  private func allows(_ path: String, moved: [(folder: String, place: String)] = []) -> Bool {
    WalletPlaces(home: "/home/a", moved: moved)
      .allow(path.split(separator: "/").map { Array($0.utf8) })
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

  @Test func `a folder that a variable moves within the home counts as the one that it replaces`() {
    #expect(!allows(".cfg/solana/id.json"))
    #expect(allows(".cfg/solana/id.json", moved: [(".config", "/home/a/.cfg")]))
    #expect(!allows(".cfg/solana/id.json", moved: [(".config", "/home/b/.cfg")]))
    #expect(!allows(".cfg/other/id.json", moved: [(".config", "/home/a/.cfg")]))
  }
}
