public import FuekiWallet

/// Where something was asked.
public struct SourcePlace: Equatable, Sendable {
  /// The source's kind, such as "ethereum-rpc".
  public let kind: String
  /// Its server, without path or credential.
  public let server: String

  /// A source of a kind at a server.
  public init(kind: String, server: String) {
    self.kind = kind
    self.server = server
  }
}

/// A source that was asked in vain, or that left something open.
public struct SourceAttempt: Equatable, Sendable {
  /// Who was asked.
  public let place: SourcePlace
  /// What went wrong.
  public let error: SyncError

  /// An attempt that went wrong.
  public init(_ place: SourcePlace, _ error: SyncError) {
    self.place = place
    self.error = error
  }
}

/// Why no source gave anything.
public enum SyncFailure: Error, Equatable, Sendable {
  /// There is no server to ask for this chain.
  case noSource
  /// There are only those that the wallet names itself, which nobody has allowed to be asked: their places.
  case notAllowed([String])
  /// Every source that there is failed.
  case allFailed([SourceAttempt])
  /// No chain was to be asked, and nothing is known from before.
  case nothingKnown
  /// What is known could not be read, or what was learnt not be kept.
  case store(StoreFault)
}

/// Why a wallet may not be as its chain has it.
public enum WalletProblem: Equatable, Sendable {
  /// No source told anything, so that nothing newer is known.
  case failed(SyncFailure)
  /// The source finds nothing, and this balance was recorded before, which is kept; what may help depends on the chain.
  case foundNothing(SourcePlace, recorded: String, ChainFamily)
  /// The source has not told everything.
  case partial(SourcePlace, FindingsGap)
}

/// What else a person should know of a wallet that was brought up to date.
public enum WalletWarning: Equatable, Sendable {
  /// This source did not answer, while another did.
  case failed(SourceAttempt)
  /// The source has not come as far as the chain was seen before.
  case behind(SourcePlace, height: UInt64, known: UInt64)
  /// What the source itself says.
  case found(FindingsWarning)
}
