public import FuekiArchive
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
    self.recovery.options.acceptsOlder = true
    self.recovery.options.salvages = false
    // The drill reports differences itself, at its end.
    self.recovery.options.acceptsDifferences = true
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
