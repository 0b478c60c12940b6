extension WalletProgram {
  /// Programs with wallets that are found, and kept without being read.
  static let unread: [WalletProgram] =
    [
      WalletProgram(
        id: "bdk", title: "BDK command line", folders: [".bdk-bitcoin"],
        places: [.one(".bdk-bitcoin", .nothingSecret, .noSeed)]),
      WalletProgram(
        id: "joinmarket", title: "JoinMarket", folders: [".joinmarket"],
        places: [.folder(".joinmarket/wallets", of: ["*.jmdat"], .always)]),
      WalletProgram(
        id: "armory", title: "Armory", folders: [".armory"],
        places: [.folder(".armory", of: ["*.wallet", "*.lmdb"], .hidden)]),
      WalletProgram(
        id: "exodus", title: "Exodus", folders: [".config/Exodus"], flatpaks: ["io.exodus.Exodus"],
        places: [.one(".config/Exodus/exodus.wallet", .always, .closeFirst)]),
      WalletProgram(
        id: "zcashd", title: "zcashd", group: .node, folders: [".zcash"], locks: [.held(".zcash/.lock")],
        places: [.one(".zcash/wallet.dat", .hidden, .laterKeys)]),
      WalletProgram(
        id: "eclair", title: "Eclair", group: .lightning, folders: [".eclair"],
        places: [
          .folder(".eclair", of: ["*_seed.dat", "*/*_seed.dat"], .never, [.clearSecret]),
          .folder(".eclair", of: ["*/eclair.sqlite"], .nothingSecret, [.oldChannels]),
        ],
        beside: [".eclair/*/*.sqlite"]),
      WalletProgram(
        id: "phoenixd", title: "phoenixd", group: .lightning, folders: [".phoenix"],
        places: [.one(".phoenix/seed.dat", .never, .clearSecret)],
        beside: [".phoenix/*.db"]),
      WalletProgram(
        id: "coldcard-export", title: "Coldcard backup", places: [.export("backup*.7z", .always)]),
      WalletProgram(
        id: "keepass", title: "KeePass",
        places: ["*.kdbx", "*.kdb"].map { .export($0, .always, .laterKeys) }),
      WalletProgram(
        id: "ssh", title: "SSH keys", folders: [".ssh"], places: [.folder(".ssh", of: ["id_*"], .hidden)]),
    ] + unreadExtensions
}
