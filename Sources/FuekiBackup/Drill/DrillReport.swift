public import FuekiArchive
internal import FuekiWallet

/// The result of a drill.
public struct DrillReport: Sendable {
  /// The archive.
  public let archive: OpenArchive
  /// The restore, stage by stage.
  public let recovery: RecoveryOutcome
  /// The findings on the archive's key shares.
  public let shares: ShareReport
  /// The differences between the restored contents and the archive; none if all is well.
  public let difference: BundleDifference
  /// The original files that cannot be restored, because parts of them are missing.
  public let brokenFiles: [OriginalFile]
  /// How the live wallet differs from the archive: what has happened since.
  public let live: BundleDifference?

  /// How many records came back.
  public var records: UInt64 { recovery.report.restored.values.reduce(0, +) }
  /// Whether every restored record equals the archive's, every file can be restored, and the key shares are valid.
  public var isSame: Bool {
    difference.isEmpty && brokenFiles.isEmpty && shares.isSound && recovery.report.proofs.differences.isEmpty
  }
  /// Whether the secret opened everything and this version knows all of it.
  public var isComplete: Bool { recovery.report.isComplete }
}
