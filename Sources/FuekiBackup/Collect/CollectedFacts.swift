internal import FuekiWallet

/// The facts that this machine remembers of the collected contents, besides their counts.
struct CollectedFacts {
  /// The sources' names.
  let sources: [String]
  /// The things that the sources held and the archive lacks.
  let missing: [String]
  /// The files that are in the archive though no kind reads them.
  let keptUnread: [String]
  /// The unencrypted keys that stay out by a decision.
  let declinedKeys: [DeclinedKeys]
  /// The findings on the backup of each wallet.
  let findings: [WalletFinding]
  /// How many files of other programs the archive has that can go back below a home.
  let placedFiles: UInt64
  /// The things of worth in the archive.
  let holdings: CountedHoldings
}
