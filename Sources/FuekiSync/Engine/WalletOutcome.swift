public import FuekiBackup
public import FuekiWallet

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

  /// Whether the wallet matches its chain, or a known state that the policy accepts.
  public var isComplete: Bool { state != .failed && problems.isEmpty }
}

/// Why a wallet may differ from its chain.
public enum WalletProblem: Equatable, Sendable {
  /// No source returned anything, so no newer state is known.
  case failed(SyncFailure)
  /// The source finds nothing, while a balance was recorded before.
  ///
  /// It is kept, and advice depends on the chain.
  case foundNothing(SourcePlace, recorded: String, ChainFamily)
  /// The source's findings are incomplete.
  case partial(SourcePlace, FindingsGap)
}

/// A warning about a synchronised wallet.
public enum WalletWarning: Equatable, Sendable {
  /// This source failed, but another one answered.
  case failed(SourceAttempt)
  /// The source is behind an earlier known height.
  case behind(SourcePlace, height: UInt64, known: UInt64)
  /// A warning from the source.
  case found(FindingsWarning)
}

/// Why no source returned anything.
public enum SyncFailure: Error, Equatable, Sendable {
  /// There is no server for this chain.
  case noSource
  /// There are only the wallet's own endpoints, none of them allowed: their places.
  case notAllowed([String])
  /// Every source failed.
  case allFailed([SourceAttempt])
  /// No chain was to be queried, and no earlier state is known.
  case nothingKnown
  /// The known state could not be read, or new data could not be stored.
  case store(StoreFault)
}

/// A source that failed or was incomplete.
public struct SourceAttempt: Equatable, Sendable {
  /// The source.
  public let place: SourcePlace
  /// The error.
  public let error: SyncError

  /// Creates an attempt.
  package init(_ place: SourcePlace, _ error: SyncError) {
    self.place = place
    self.error = error
  }
}

/// A source for people.
public struct SourcePlace: Equatable, Sendable {
  /// The source's kind, such as "ethereum-rpc".
  public let kind: String
  /// Its server, without path or credential.
  public let server: String

  /// Creates a place.
  package init(kind: String, server: String) {
    self.kind = kind
    self.server = server
  }
}
