public import FuekiWallet
internal import FuekiSystem

/// The names of wallets for people: with the network, if wallets on several networks have one name.
public struct WalletTitles: Sendable {
  private var networks: [ExactText: Set<ExactText>] = [:]

  /// Creates the names of these wallets, which a person sees together.
  public init(_ wallets: [Wallet]) { self.init(wallets.map { ($0.name, $0.networkTitle) }) }

  init(_ wallets: [(name: String, network: String)]) {
    for wallet in wallets where !wallet.name.isEmpty {
      networks[ExactText(wallet.name), default: []].insert(ExactText(wallet.network))
    }
  }

  /// The name of one of the wallets.
  public func title(of wallet: Wallet) -> String { title(wallet.name, on: wallet.networkTitle) }

  func title(_ name: String, on network: String) -> String {
    let isShared = networks[ExactText(name)].map { $0.count > 1 } ?? false
    return isShared && !network.isEmpty ? "\(name) (\(network))" : name
  }
}

extension Wallet {
  private static let evmTitles = [
    "1": "Ethereum", "10": "Optimism", "56": "BNB Smart Chain", "100": "Gnosis", "137": "Polygon",
    "250": "Fantom", "324": "zkSync Era", "8453": "Base", "17000": "Holesky", "42161": "Arbitrum",
    "42220": "Celo", "43114": "Avalanche", "59144": "Linea", "81457": "Blast", "534352": "Scroll",
    "11155111": "Sepolia",
  ]
  private static let mainNetworks = ["", "mainnet", "mainnet-beta"]

  /// The network's name for people; empty if the record does not state it.
  var networkTitle: String {
    switch ChainFamily(chainFamily) {
    case .evm: chainID.isEmpty ? "EVM" : Self.evmTitles[chainID] ?? "chain \(chainID)"
    case .bitcoin: Self.capitalised(chainID.isEmpty ? chainFamily : chainID)
    case .other(let family):
      Self.capitalised(
        Self.mainNetworks.contains(chainID) || chainID == family ? family : "\(family) \(chainID)")
    }
  }

  private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
