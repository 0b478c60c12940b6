public import FuekiWallet

/// A source for people.
public struct SourcePlace: Equatable, Sendable {
  /// The source's kind, such as "ethereum-rpc".
  public let kind: String
  /// Its server, without path or credential.
  public let server: String

  /// Creates a place.
  public init(kind: String, server: String) {
    self.kind = kind
    self.server = server
  }
}

/// A source that failed or was incomplete.
public struct SourceAttempt: Equatable, Sendable {
  /// The source.
  public let place: SourcePlace
  /// The error.
  public let error: SyncError

  /// Creates an attempt.
  public init(_ place: SourcePlace, _ error: SyncError) {
    self.place = place
    self.error = error
  }
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
