internal import FuekiWallet

/// The differences between families of chains.
struct ChainRules: Sendable {
  /// The number of blocks that may still be replaced, which are checked again below the last synced block.
  let reorganisationMargin: UInt64

  static func of(_ wallet: Wallet) -> ChainRules {
    switch wallet.family {
    case .evm: ChainRules(reorganisationMargin: 64)
    case .bitcoin: ChainRules(reorganisationMargin: 12)
    case .other: ChainRules(reorganisationMargin: 100)
    }
  }
}
