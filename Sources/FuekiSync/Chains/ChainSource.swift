internal import FuekiWallet

/// A kind of server or program that reports a wallet's data on a chain.
///
/// A conformer is one file for one API, and one line in ``ChainSources``. It queries without interpreting:
/// the consequences of findings for the store are the same for all sources.
public protocol ChainSource: Sendable {
  /// Returns all of a wallet's data on the chain from a height on.
  func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings
}
