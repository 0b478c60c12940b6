public import FuekiBackup

/// The result of a resync for one wallet.
public struct WalletOutcome: Sendable {
  /// The currency of the numbers.
  public enum State: Equatable, Sendable {
    /// Just reported by the chain.
    case fresh
    /// Known from earlier, with the age in seconds.
    case stale(seconds: Double)
    /// Unknown.
    case failed
  }

  /// The wallet's id as text.
  public let id: String
  /// Its name.
  public let name: String
  /// Its chain, such as "evm:1".
  public let chain: String
  /// The currency of the numbers.
  public var state = State.failed
  /// Their source.
  public var source: SourcePlace?
  /// The balance in the chain's smallest unit.
  public var balance: String?
  /// The height up to which everything is known.
  public var height: UInt64?
  /// The changes in the store.
  public var counts = ChainUpdateCounts()
  /// Why the wallet may differ from its chain, with advice; empty if it is complete.
  public var problems: [WalletProblem] = []
  /// Other warnings, such as a source that failed while another answered.
  public var warnings: [WalletWarning] = []

  init(id: String, name: String, chain: String) {
    self.id = id
    self.name = name
    self.chain = chain
  }

  /// Whether the wallet matches its chain, or a known state that the policy accepts.
  public var isComplete: Bool { state != .failed && problems.isEmpty }
}
