internal import FuekiArchive
public import FuekiBackup
public import FuekiWallet

/// The expected result of a restore.
public struct RestorePreview {
  /// The archive's plan.
  public let plan: RestorePlan
  /// The numbers of new, equal and different records of each section.
  public let counts: [Section: MergeCounts]
  /// The expected result of the merge with the existing wallet; nil for a new place.
  public let merge: MergeReport?
  /// The wallets that are dangerous when old or live twice.
  public let wallets: [HazardousWallet]
}
