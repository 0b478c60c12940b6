public import FuekiArchive
internal import FuekiCrypto
public import FuekiWallet

/// A practice restore: restores everything in a separate place, compares it, and wipes it.
public struct Drill {
  /// The way back, as a real restore walks it; an older archive is drilled as well as the newest.
  private var recovery: Recovery
  /// The encodings that key shares' secrets can be read in.
  private let encodings: [ShareEncoding]

  /// - Parameters:
  ///   - recovery: opens the archive, knows the trusted signers, and proves its keys. It restores everything.
  ///   - encodings: the encodings of key shares' secrets.
  package init(_ recovery: Recovery, encodings: [ShareEncoding]) {
    self.recovery = recovery
    self.recovery.acceptsOlder = true
    self.recovery.salvages = false
    // The drill reports differences itself, at its end.
    self.recovery.acceptsDifferences = true
    self.recovery.proofs?.encodings = encodings
    self.encodings = encodings
  }

  /// A step of a drill after the restore's own stages.
  public enum Step: Sendable {
    /// A stage of the restore.
    case restoring(RestoreProgress)
    /// A restored section is compared with the archive.
    case comparing(Section)
    /// A section of the live wallet is compared with the archive.
    case comparingLive(Section)
  }

  /// Restores, checks the key shares, and compares every restored record with the archive's.
  ///
  /// - Parameters:
  ///   - stored: the archive, of which only the structure was read.
  ///   - progress: receives each step. An error that it throws ends the drill.
  ///   - prepare: makes the destination and its keychain, as for a restore.
  ///   - restored: collects the restored data, as a backup of it would.
  ///   - live: collects the wallet in use; nil if there is none or it must not be read.
  /// - Returns: the restored and the missing contents.
  /// - Throws: the errors of a restore.
  public func run(
    _ stored: StoredArchive, progress: @escaping (Step) throws -> Void,
    prepare: (any UnlockedArchive) throws -> (destination: any Destination, keychain: (any KeychainAccess)?),
    restored: (CollectionRequest) throws -> BackupBundle, live: ((ArchivedRequest) throws -> BackupBundle)?
  ) throws -> DrillReport {
    let outcome = try recovery.run(
      stored, resyncer: nil, progress: { try progress(.restoring($0)) }, prepare: prepare)
    guard let archive = outcome.archive as? OpenArchive else { throw ArchiveError.damaged(.structure) }
    let shares = try archive.checkShares(encodings)
    let request = try ArchivedRequest(of: archive, recovery.selection)
    let difference = try archive.difference(to: try restored(request.whole), selection: recovery.selection) {
      try progress(.comparing($0))
    }
    let changes = try live.map { collect in
      try archive.difference(to: try collect(request), selection: recovery.selection) {
        try progress(.comparingLive($0))
      }
    }
    let broken = try archive.originalFiles().survey.broken.filter { recovery.selection.contains($0.section) }
    return DrillReport(
      archive: archive, recovery: outcome, shares: shares, difference: difference, brokenFiles: broken,
      live: changes)
  }
}

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
