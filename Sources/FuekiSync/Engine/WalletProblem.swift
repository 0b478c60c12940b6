public import FuekiWallet

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
