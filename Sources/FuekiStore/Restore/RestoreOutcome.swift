public import FuekiArchive
public import FuekiBackup

/// The result of a restore.
public struct RestoreOutcome {
  /// The result of each stage.
  public let recovered: RestoreReport
  /// The result of the merge with the existing wallet; nil for a new place.
  public let merge: MergeReport?
  /// Rows with missing parents, lost with a damaged archive.
  public let orphans: [Orphans]
  /// The wallets that are dangerous when old or live twice.
  public let wallets: [HazardousWallet]
  /// The archive's path.
  public let path: String
  /// The secrets that opened the archive.
  ///
  /// An earlier one may need others.
  public let given: UnlockingSecrets?
  /// The data directory.
  public let dataDirectory: String
  /// The result for files of other programs.
  public let files: RestoredFiles
}
