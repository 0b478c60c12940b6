public import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// A practice restore, from the archive to the recorded statement.
///
/// It takes values, reports through ``DrillEvent``, and returns a value.
public struct DrillRun {
  /// The secrets for the archive, the trusted signers, and the material for proving its keys.
  package let recovery: Recovery
  /// The known encodings of key shares' secrets.
  public var encodings: [ShareEncoding] = []
  /// The sources of a backup of the wallet in use; nil if there is none, or it is not compared.
  public var live: [any Collector]?
  /// Handles a source that failed.
  ///
  /// An error thrown by it ends the drill.
  public var leavingOut: (any Collector, any Error) throws -> SourceReport = { throw $1 }
  /// Signs the statement; nil for no signature.
  public var signingKey: SigningKey?
  /// The folders in which to restore the wallet, in order of preference.
  let folders: [PracticeFolder]
  let state: StateDirectory
  let report: (DrillEvent) throws -> Void

  /// - Parameters:
  ///   - recovery: the secrets for the archive, the trusted signers, and the material for proving its keys.
  ///   - folders: folders in which to restore the wallet, in order of preference. They are wiped.
  ///   - state: stores the statement.
  ///   - report: receives events; an error thrown by it ends the run.
  package init(
    _ recovery: Recovery, in folders: [PracticeFolder], state: StateDirectory,
    report: @escaping (DrillEvent) throws -> Void
  ) {
    self.recovery = recovery
    self.folders = folders
    self.state = state
    self.report = report
  }

  /// Restores the wallet, compares it, wipes it, and records a statement of the result.
  ///
  /// - Parameters:
  ///   - stored: the archive, with its structure checked.
  ///   - path: the archive's path.
  /// - Returns: the result and the recorded statement.
  /// - Throws: the errors of a restore, and `SystemError` if no place has room.
  public func run(_ stored: StoredArchive, at path: String) throws -> DrillOutcome {
    let folder = try PracticeFolder.choose(
      from: folders, room: stored.streamBytes.reduce(64 << 20, +) * 2)
    if !folder.isInMemory { try report(.onDisk) }
    let drilled = try drill(stored, in: folder)
    try folder.wipe()
    let time = UInt64(max(0, SystemClock.now) / 1_000_000)
    let statement = try DrillStatement(drilled, time: time, signedWith: signingKey)
    try state.keep(statement)
    if statement.result == .same {
      try state.note(
        .drill, target: Target(holding: path).path, vault: statement.vaultID, archive: statement.digest,
        sequence: statement.sequence)
    }
    return DrillOutcome(
      report: drilled, statement: statement, path: path, wasInMemory: folder.isInMemory)
  }

  private func drill(_ stored: StoredArchive, in folder: PracticeFolder) throws -> DrillReport {
    // The temporary wallet's keychain opens only with a random key, which is discarded.
    let key = SharedSecret(try SecretBytes.random(count: 32))
    return try Drill(recovery, encodings: encodings).run(
      stored,
      progress: { try report(.step($0)) },
      prepare: { open in
        let destination = try StoreDestination(
          dataDirectory: folder.dataDirectory, keychainSlots: [.keyFile(key)])
        return (destination, open.scopes.contains(.secrets) ? destination.keychain : nil)
      },
      restored: { request in
        let store = StoreCollector(
          dataDirectory: folder.dataDirectory, keychain: KeychainOpening([.keyFile(key)]))
        return try BackupBundle.collected(from: [store]) { _ in request }
      },
      live: live.map { sources in
        { request in
          try BackupBundle.collected(
            from: sources, asking: { request.request(of: $0) }, leavingOut: leavingOut)
        }
      })
  }
}

/// An event during a drill.
public enum DrillEvent: Sendable {
  /// The wallet is restored to a disk, which may keep traces of it.
  case onDisk
  /// A stage of the restore, or a section being compared.
  case step(Drill.Step)
}

/// The result of a drill, after wiping.
public struct DrillOutcome: Sendable {
  /// The restored and the missing parts.
  public let report: DrillReport
  /// The recorded statement.
  public let statement: DrillStatement
  /// The archive's path.
  public let path: String
  /// Whether nothing was written to a disk.
  public let wasInMemory: Bool
}
