public import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// A restore for practice, from the archive to the statement that is kept of it.
///
/// It is given values, tells through ``DrillEvent``, and ends in a value.
public struct DrillRun {
  /// What opens the archive, whose word is taken, and what proves its keys.
  public let recovery: Recovery
  /// The encodings that key shares' secrets can be read in.
  public var encodings: [ShareEncoding] = []
  /// The sources of a backup of the wallet in use; nil if there is none, or it is not compared.
  public var live: [any Collector]?
  /// Reports one of them that failed; what it throws ends the drill.
  public var leavingOut: (any Collector, any Error) throws -> SourceReport = { throw $1 }
  /// Signs the statement; nil where nobody does.
  public var signingKey: SigningKey?
  /// Folders in which the wallet may be brought back, in the order in which they are wanted.
  let places: [String]
  let state: StateDirectory
  let report: (DrillEvent) throws -> Void

  /// - Parameters:
  ///   - recovery: what opens the archive, whose word is taken, and what proves its keys.
  ///   - places: folders in which the wallet may be brought back, in the order in which they are wanted.
  ///   - state: keeps the statement.
  ///   - report: is told what happens; what it throws ends the run.
  public init(
    _ recovery: Recovery, in places: [String], state: StateDirectory,
    report: @escaping (DrillEvent) throws -> Void
  ) {
    self.recovery = recovery
    self.places = places
    self.state = state
    self.report = report
  }

  /// Brings the wallet back, compares it, wipes it, and keeps a statement of what came of it.
  ///
  /// - Parameters:
  ///   - stored: the archive, of which only the structure was read.
  ///   - path: where it is.
  /// - Returns: what came back, and what is kept of it.
  /// - Throws: what a restore throws, and `SystemError` where no place has room.
  public func run(_ stored: StoredArchive, at path: String) throws -> DrillOutcome {
    let folder = try PracticeFolder.make(in: places, room: stored.streamBytes.reduce(64 << 20, +) * 2)
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
    // The keychain of a wallet that lives for a minute opens with a key that nobody learns.
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

/// What happens during a drill, for whoever shows it.
public enum DrillEvent: Sendable {
  /// The wallet is brought back on a disk, which may keep traces of it.
  case onDisk
  /// A stage of the restore, or a section that is compared.
  case step(Drill.Step)
}

/// What a drill came to, wiped and kept.
public struct DrillOutcome: Sendable {
  /// What came back, and what did not.
  public let report: DrillReport
  /// What is kept of it.
  public let statement: DrillStatement
  /// The archive's path.
  public let path: String
  /// Whether nothing of it touched a disk.
  public let wasInMemory: Bool
}
