extension WalletProgram {
  /// Nodes with wallets, and nodes with keystores.
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

  /// The networks whose directories have other files in addition to wallets.
  private static let testNetworks = ["testnet3", "testnet4", "signet", "regtest"]

  /// A program derived from Bitcoin Core.
  ///
  /// Its wallets are in the data directory or in `wallets`, and those of test networks below. A wallet's name
  /// may contain slashes, and thus be several directories deep. Older versions allowed any file name.
  private static func core(
    _ id: String, _ title: String, _ folder: String, kind: String = BitcoinCoreCollector.kind,
    flatpaks: [String] = [], snaps: [String] = []
  ) -> WalletProgram {
    let paths = [
      "wallet.dat", "wallets/wallet.dat", "wallets/*/wallet.dat", "wallets/**/wallet.dat", "*/wallet.dat",
      "*/wallets/*/wallet.dat", "*/wallets/**/wallet.dat",
    ]
    let files =
      ["*.dat"] + testNetworks.map { "\($0)/*.dat" } + ["wallets/**/*"]
      + testNetworks.map { "\($0)/wallets/**/*" }
    return WalletProgram(
      id: id, title: title, flatpaks: flatpaks, snaps: snaps,
      locks: [.held("\(folder)/.lock"), .held("\(folder)/*/.lock")],
      places: paths.map { .one("\(folder)/\($0)", kind: kind, .hidden, .laterKeys) }
        + files.map {
          .content(
            "\(folder)/\($0)", kind: kind, .hidden, .laterKeys, beginning: BitcoinCoreCollector.isWalletFile)
        },
      plainNamesIn: [folder] + testNetworks.map { "\(folder)/\($0)" })
  }
}
