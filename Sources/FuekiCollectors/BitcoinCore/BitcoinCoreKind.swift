internal import FuekiSystem
internal import FuekiCrypto

extension CollectorKind {
  /// Wallets of Bitcoin Core and Litecoin Core.
  static let bitcoinCore = CollectorKind(
    BitcoinCoreCollector.kind, "wallets of Bitcoin Core and Litecoin Core", reach: .tree, guide: .bitcoinCore,
    programs: [
      .core(
        "bitcoin-core", "Bitcoin Core", ".bitcoin", flatpaks: ["org.bitcoincore.bitcoin-qt"],
        snaps: ["bitcoin-core"]),
      .core("litecoin-core", "Litecoin Core", ".litecoin", snaps: ["litecoin-core"]),
      .core("dogecoin-core", "Dogecoin Core", ".dogecoin"),
      .core("dash-core", "Dash Core", ".dashcore"),
      WalletProgram(
        id: "core-export", title: "Bitcoin Core wallet",
        places: [.export("wallet*.dat", kind: BitcoinCoreCollector.kind, .hidden, .laterKeys)]),
    ],
    formats: [FileFormat("bitcoin-core-wallet", fileNames: ["wallet.dat"])],
    fileNames: WalletNames(certain: ["wallet.dat"], possible: ["*.dat"]),
    limit: .max, what: "wallet of Bitcoin Core", recognises: { BitcoinCoreCollector.isLikely($0) },
    look: BitcoinCoreCollector.look)
}

extension WalletProgram {
  /// The networks whose directories have other files in addition to wallets.
  private static let testNetworks = ["testnet3", "testnet4", "signet", "regtest"]

  /// A program derived from Bitcoin Core.
  ///
  /// Its wallets are in the data directory or in `wallets`, and those of test networks below. A wallet's name
  /// may contain slashes, and thus be several directories deep. Older versions allowed any file name.
  fileprivate static func core(
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
      id: id, title: title, group: .node, folders: [folder], flatpaks: flatpaks, snaps: snaps,
      locks: [.held("\(folder)/.lock"), .held("\(folder)/*/.lock")],
      places: paths.map { .one("\(folder)/\($0)", kind: kind, .hidden, .laterKeys) }
        + files.map {
          .content(
            "\(folder)/\($0)", kind: kind, .hidden, .laterKeys, beginning: BitcoinCoreCollector.isLikely)
        },
      plainNamesIn: [folder] + testNetworks.map { "\(folder)/\($0)" })
  }
}
