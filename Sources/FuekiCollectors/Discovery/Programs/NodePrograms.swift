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

  /// The networks whose folders have files of their own beside the wallets.
  private static let testNetworks = ["testnet3", "testnet4", "signet", "regtest"]

  /// A program that came from Bitcoin Core, which has its wallets in the data directory or in `wallets`, and those of
  /// test networks below.
  ///
  /// A wallet's name can have slashes in it, and so be several folders deep; older versions took any file's name.
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
