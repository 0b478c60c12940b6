extension WalletProgram {
  /// Desktop wallets and related programs.
  static let desktopPrograms: [WalletProgram] = [
    WalletProgram(
      id: "electrum", title: "Electrum", flatpaks: ["org.electrum.electrum"], snaps: ["electrum"],
      locks: [.exists(".electrum/daemon"), .exists(".electrum/*/daemon")],
      places: [
        .folder(".electrum/wallets", of: ["*"], kind: "electrum", .electrum, [.laterKeys]),
        .folder(".electrum/*/wallets", of: ["*"], kind: "electrum", .electrum),
      ]),
    WalletProgram(
      id: "electrum-ltc", title: "Electrum-LTC", locks: [.exists(".electrum-ltc/daemon")],
      places: [.folder(".electrum-ltc/wallets", of: ["*"], kind: "electrum", .electrum)]),
    WalletProgram(
      id: "electron-cash", title: "Electron Cash", flatpaks: ["org.electroncash.ElectronCash"],
      locks: [.exists(".electron-cash/daemon")],
      places: [.folder(".electron-cash/wallets", of: ["*"], kind: "electrum", .electrum)]),
    WalletProgram(
      id: "sparrow", title: "Sparrow", flatpaks: ["com.sparrowwallet.Sparrow"],
      places: [
        .folder(".sparrow/wallets", of: ["*"], kind: SparrowCollector.kind, .sparrow, [.closeFirst]),
        .folder(".sparrow/*/wallets", of: ["*"], kind: SparrowCollector.kind, .sparrow, [.closeFirst]),
      ]),
    WalletProgram(
      id: "specter", title: "Specter Desktop",
      places: [
        .folder(
          ".specter/wallets", of: ["*/*.json"], kind: MultisigCollector.kind, .nothingSecret, [.noSeed]),
        .folder(".specter/devices", of: ["*.json"], .hidden, [.noSeed]),
      ],
      beside: [".specter/wallets/*/*.json", ".specter/wallets/*/*.csv"]),
    WalletProgram(
      id: "liana", title: "Liana",
      places: [
        .folder(".liana", of: ["*/lianad.sqlite3", "*/data/*/lianad.sqlite3"], .nothingSecret, [.noSeed]),
        .folder(
          ".liana", of: ["*/mnemonics/mnemonic-*.txt", "*/data/*/mnemonics/mnemonic-*.txt"], .never,
          [.clearSecret]),
      ]),
    WalletProgram(
      id: "wasabi", title: "Wasabi Wallet",
      places: [
        .folder(".walletwasabi/client/Wallets", of: ["*.json", "*/*.json"], .always, [.laterKeys])
      ]),
    WalletProgram(
      id: "bdk", title: "BDK command line",
      places: [.one(".bdk-bitcoin", .nothingSecret, .noSeed)]),
    WalletProgram(
      id: "joinmarket", title: "JoinMarket",
      places: [.folder(".joinmarket/wallets", of: ["*.jmdat"], .always)]),
    WalletProgram(
      id: "armory", title: "Armory", places: [.folder(".armory", of: ["*.wallet", "*.lmdb"], .hidden)]),
    WalletProgram(
      id: "exodus", title: "Exodus",
      flatpaks: ["io.exodus.Exodus"],
      places: [.one(".config/Exodus/exodus.wallet", .always, .closeFirst)]),
    WalletProgram(
      id: "monero", title: "Monero", flatpaks: ["org.getmonero.Monero", "org.featherwallet.Feather"],
      snaps: ["monero"],
      places: [
        .folder("Monero/wallets", of: ["*.keys", "*/*.keys"], kind: MoneroCollector.kind, .always),
        .folder(".local/share/monero-wallet", of: ["*.keys"], kind: MoneroCollector.kind, .always),
      ]),
    WalletProgram(
      id: "vultisig", title: "Vultisig",
      places: [
        .one("vultisig.db", .hidden, .oldShares, .closeFirst),
        .folder(".vultisig", of: ["vault:*.json"], .hidden, [.oldShares]),
      ]),
    WalletProgram(
      id: "solana", title: "Solana command line",
      places: [
        .folder(
          ".config/solana", of: ["id.json", "*-keypair.json"], kind: SolanaCollector.kind, .never,
          [.clearSecret, .signsTwice])
      ],
      beside: [".config/solana/*.json", ".config/solana/*/*.json"]),
  ]
}
