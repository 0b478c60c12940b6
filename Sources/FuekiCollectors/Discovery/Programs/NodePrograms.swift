extension WalletProgram {
  /// Nodes that have a wallet in them, and those that keep keystores.
  static let nodePrograms: [WalletProgram] =
    [
      core(
        "bitcoin-core", "Bitcoin Core", ".bitcoin", flatpaks: ["org.bitcoincore.bitcoin-qt"],
        snaps: ["bitcoin-core"]),
      core("litecoin-core", "Litecoin Core", ".litecoin", snaps: ["litecoin-core"]),
      core("dogecoin-core", "Dogecoin Core", ".dogecoin"),
      core("dash-core", "Dash Core", ".dashcore"),
      WalletProgram(
        id: "zcashd", title: "zcashd", locks: [.held(".zcash/.lock")],
        places: [.one(".zcash/wallet.dat", .hidden, .laterKeys)]),
      WalletProgram(
        id: "geth", title: "geth", snaps: ["geth"],
        locks: [.held(".ethereum/geth/LOCK"), .held(".ethereum/*/geth/LOCK")],
        places: [
          .folder(".ethereum/keystore", of: ["*"], kind: "keystore", .always),
          .folder(".ethereum/*/keystore", of: ["*"], kind: "keystore", .always),
        ]),
      WalletProgram(
        id: "nethermind", title: "Nethermind",
        places: [.folder(".nethermind/keystore", of: ["UTC--*"], kind: "keystore", .always)]),
      WalletProgram(
        id: "foundry", title: "Foundry",
        places: [.folder(".foundry/keystores", of: ["*"], kind: "keystore", .always)]),
      WalletProgram(
        id: "brownie", title: "Brownie",
        places: [.folder(".brownie/accounts", of: ["*.json"], kind: "keystore", .always)]),
    ]

  /// A program that came from Bitcoin Core, which has its wallets in the data directory or in `wallets`, and those of
  /// test networks below.
  private static func core(
    _ id: String, _ title: String, _ folder: String, kind: String = BitcoinCoreCollector.kind,
    flatpaks: [String] = [], snaps: [String] = []
  ) -> WalletProgram {
    let paths = [
      "wallet.dat", "wallets/wallet.dat", "wallets/*/wallet.dat", "*/wallet.dat", "*/wallets/*/wallet.dat",
    ]
    return WalletProgram(
      id: id, title: title, flatpaks: flatpaks, snaps: snaps,
      locks: [.held("\(folder)/.lock"), .held("\(folder)/*/.lock")],
      places: paths.map { .one("\(folder)/\($0)", kind: kind, .hidden, .laterKeys) })
  }
}
