internal import FuekiWallet

/// Maps wallets' names for chains to families and chain ids.
enum ChainNames {
  private static let evm: [String: String] = [
    "ethereum": "1", "binance-smart-chain": "56", "bsc": "56", "polygon-pos": "137", "polygon": "137",
    "avalanche": "43114", "optimistic-ethereum": "10", "optimism": "10", "arbitrum-one": "42161",
    "arbitrum": "42161", "gnosis": "100", "xdai": "100", "fantom": "250", "base": "8453", "zksync": "324",
  ]

  /// Returns the family and the chain's id.
  ///
  /// An unknown name is its own family.
  static func chain(_ name: String) -> (family: String, id: String) {
    if let id = evm[name] { return (ChainFamily.evm.name, id) }
    if name.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), !name.isEmpty { return (ChainFamily.evm.name, name) }
    if let network = BitcoinNetwork.named(name) { return (ChainFamily.bitcoin.name, network.name) }
    return (name, name)
  }

  /// Returns the chain of an address; empty if it is ambiguous or unknown.
  static func chain(ofAddress address: String) -> (family: String, id: String) {
    if (try? EVMAddress(address)) != nil { return (ChainFamily.evm.name, "") }
    // Test networks share address formats, so an ambiguous address yields no chain id.
    let networks = BitcoinNetwork.all.filter { $0.problem(with: address) == nil }
    let isAmbiguous = Set(networks.map(\.name)).count > 1
    guard let network = networks.first else { return ("", "") }
    return (ChainFamily.bitcoin.name, isAmbiguous && network.name != "bitcoin" ? "" : network.name)
  }
}
