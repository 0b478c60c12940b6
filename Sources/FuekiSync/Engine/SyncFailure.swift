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
