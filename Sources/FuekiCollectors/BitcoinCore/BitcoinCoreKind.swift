extension CollectorKind {
  /// Wallets of Bitcoin Core and Litecoin Core.
  static let bitcoinCore = CollectorKind(
    BitcoinCoreCollector.kind, "wallets of Bitcoin Core and Litecoin Core, and listdescriptors",
    reach: .tree,
    recognises: { BitcoinCoreCollector.isLikely($0) },
    make: { path, passphrase, copying in
      BitcoinCoreCollector(path: path, passphrase: passphrase, copying: copying)
    })
}
