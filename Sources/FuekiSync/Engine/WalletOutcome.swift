public import FuekiBackup

/// What a resync came to for one wallet.
public struct WalletOutcome: Sendable {
  /// How sure the numbers are.
  public enum State: Equatable, Sendable {
    /// The chain said so just now.
    case fresh
    /// From before, so many seconds ago.
    case stale(seconds: Double)
    /// Nothing is known.
    case failed
  }

  /// The wallet's id as text.
  public let id: String
  /// Its name.
  public let name: String
  /// Its chain, such as "evm:1".
  public let chain: String
  /// How sure the numbers are.
  public var state = State.failed
  /// Who told them.
  public var source: SourcePlace?
  /// The balance in the chain's smallest unit.
  public var balance: String?
  /// Up to which height all is known.
  public var height: UInt64?
  /// What changed in the store.
  public var counts = ChainUpdateCounts()
  /// Why the wallet may not be as its chain has it, with what may help; nothing is missing where there is none.
  public var problems: [WalletProblem] = []
  /// What else the person should know, such as a source that did not answer while another did.
  public var warnings: [WalletWarning] = []

  init(id: String, name: String, chain: String) {
    self.id = id
    self.name = name
    self.chain = chain
  }

  /// Whether the wallet is as its chain has it, or as it was known where the policy was content with that.
  public var isComplete: Bool { state != .failed && problems.isEmpty }
}

/// What a resync came to.
public struct ResyncReport: Sendable {
  /// Each wallet, in the store's order.
  public var wallets: [WalletOutcome] = []
  /// Prices that were asked for.
  public var prices: [PriceOutcome] = []

  /// Whether every wallet is as its chain has it.
  public var isComplete: Bool { wallets.allSatisfy(\.isComplete) && prices.allSatisfy { $0.problem == nil } }
}
