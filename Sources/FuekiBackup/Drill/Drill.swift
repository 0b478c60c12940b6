public import FuekiArchive
internal import FuekiCrypto
public import FuekiWallet

/// A restore for practice: everything is brought back where nobody works with it, compared, and wiped.
public struct Drill {
  /// The way back, as a real restore walks it; an older archive is drilled as well as the newest.
  private var recovery: Recovery
  /// The encodings that key shares' secrets can be read in.
  private let encodings: [ShareEncoding]

  /// - Parameters:
  ///   - recovery: what opens the archive, whose word is taken, and what proves its keys; it restores everything.
  ///   - encodings: those that key shares' secrets can be read in.
  public init(_ recovery: Recovery, encodings: [ShareEncoding]) {
    self.recovery = recovery
    self.recovery.acceptsOlder = true
    self.recovery.salvages = false
    // What does not fit is the drill's to say, at its end.
    self.recovery.acceptsDifferences = true
    self.recovery.proofs?.encodings = encodings
    self.encodings = encodings
  }

  /// What a drill does after the restore's own stages.
  public enum Step: Sendable {
    /// A stage of the restore.
    case restoring(RestoreProgress)
    /// A section of what was restored is compared with the archive.
    case comparing(Section)
    /// A section of the live wallet is compared with the archive.
    case comparingLive(Section)
  }

  /// Restores, checks the key shares, and compares every record that came back with the archive's.
  ///
  /// - Parameters:
  ///   - stored: the archive, of which only the structure was read.
  ///   - progress: what it throws ends the drill.
  ///   - prepare: makes the destination and its keychain, as for a restore.
  ///   - restored: collects what was restored, as a backup of it would.
  ///   - live: collects the wallet that is worked with; nil where there is none, or it is not to be looked at.
  /// - Returns: what came back, and what did not.
  /// - Throws: what a restore throws.
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

/// What a drill came to.
public struct DrillReport: Sendable {
  /// The archive.
  public let archive: OpenArchive
  /// The restore, stage by stage.
  public let recovery: RecoveryOutcome
  /// What was found of the archive's key shares.
  public let shares: ShareReport
  /// How what was restored differs from the archive: not at all, if all is well.
  public let difference: BundleDifference
  /// The original files that cannot be put back: their parts do not make whole files.
  public let brokenFiles: [OriginalFile]
  /// How the live wallet differs from the archive: what has happened since.
  public let live: BundleDifference?

  /// How many records came back.
  public var records: UInt64 { recovery.report.restored.values.reduce(0, +) }
  /// Whether every record that came back is the archive's, every file can be put back, and the key shares are sound.
  public var isSame: Bool {
    difference.isEmpty && brokenFiles.isEmpty && shares.isSound && recovery.report.proofs.differences.isEmpty
  }
  /// Whether there was nothing that the secret did not open, or that this version does not know.
  public var isComplete: Bool { recovery.report.isComplete }
}
