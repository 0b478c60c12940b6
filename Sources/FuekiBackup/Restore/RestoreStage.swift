public import FuekiArchive
public import FuekiWallet

/// The stages of a restore, in the order in which people see them.
public enum RestoreStage: String, CaseIterable, Sendable {
  case verify
  case authenticate
  case decryptShares = "decrypt-shares"
  case restoreWallets = "restore-wallets"
  case restoreHistory = "restore-history"
  case resync
  case complete
}

/// Records each finished stage, and reports it for display.
struct StageLog {
  private(set) var results: [StageResult] = []
  private let clock: () -> Double
  private let report: (RestoreProgress) throws -> Void

  init(clock: @escaping () -> Double, report: @escaping (RestoreProgress) throws -> Void) {
    self.clock = clock
    self.report = report
  }

  /// Runs one stage; a stage that throws has no result.
  mutating func run<Value>(
    _ stage: RestoreStage, result: (Value) -> StageEnd = { _ in .done },
    counts: (Value) -> [String: UInt64] = { _ in [:] }, _ body: () throws -> Value
  ) throws -> Value {
    try report(.began(stage))
    let start = clock()
    let value = try body()
    let ended = StageResult(
      stage: stage, result: result(value), seconds: clock() - start, counts: counts(value))
    results.append(ended)
    try report(.ended(ended))
    return value
  }
}

/// The result of a stage.
public struct StageResult: Sendable {
  /// The stage.
  public let stage: RestoreStage
  /// How it ended.
  public let result: StageEnd
  /// How long it took.
  public let seconds: Double
  /// How many of what, such as records per section.
  public let counts: [String: UInt64]
}

/// How a stage of a restore ended.
public enum StageEnd: Equatable, Sendable {
  /// It was done.
  case done
  /// The archive is damaged, and its intact parts are salvaged.
  case salvaged
  /// Records were read.
  ///
  /// Has their losses, and the results of deriving addresses again.
  case read(lost: StageLoss, proofs: ProofTally)
  /// The chains were asked, or were not.
  case resynced(ResyncOutcome)

  /// Whether the stage ended well, without further facts to report.
  public var isUneventful: Bool {
    switch self {
    case .done: true
    case .read(let lost, let proofs): lost == .none && proofs == ProofTally()
    case .salvaged, .resynced: false
    }
  }
}

/// A stage's losses from a damaged archive.
public struct StageLoss: Equatable, Sendable {
  /// Nothing is lost.
  public static let none = StageLoss(scopes: [], records: 0)

  /// Scopes of which everything is lost.
  public let scopes: [ArchiveScope]
  /// How many records are lost of others.
  public let records: UInt64

  /// Creates a loss.
  public init(scopes: [ArchiveScope], records: UInt64) {
    self.scopes = scopes
    self.records = records
  }
}

/// The progress of a restore.
public enum RestoreProgress: Sendable {
  case began(RestoreStage)
  case reading(bytes: UInt64, of: UInt64)
  case restoring(Section, records: UInt64, of: UInt64)
  case ended(StageResult)
}

/// An error that stops a restore, apart from those of the archive itself.
public enum RestoreError: Error, Equatable, Sendable {
  /// No restore into this data directory was stopped.
  case nothingStopped(path: String)
  /// The interrupted restore used another archive.
  case anotherArchive(path: String)
  /// The secret opens other scopes than in the interrupted restore.
  case opensOtherScopes([String], begunWith: [String])
  /// It was stopped part-way, and another run can go on with it.
  case stopped
  /// The archive has no wallet of this id.
  case noWallet(id: String)
  /// The archive has no such thing; the text is as ``Holding/item`` has it.
  case noItem(String)
  /// Records are there already and differ; nothing was changed.
  case conflicts([RestoreConflict])
  /// Key shares that the destination's have replaced.
  case olderShares([OlderShares])
  /// Wallets that are dangerous when old or live twice, and were not confirmed.
  case hazards([HazardousWallet])
  /// The keychain of the wallet that is there does not open.
  case presentKeychainClosed
  /// The newest archive fails; the other is the newest that does not.
  case newestFails(path: String, verdict: Verdict, fallback: String?)
  /// The secret opens an older archive, but not the newest.
  case opensOlder(OlderArchive)

  /// An archive that opens where the newest does not.
  public struct OlderArchive: Equatable, Sendable {
    /// The newest, which does not open.
    public let newest: String
    /// The name to restore it by.
    public let name: String
    /// Its sequence.
    public let sequence: UInt64
    /// When it was made, in seconds since 1970.
    public let created: UInt64
    /// The number of newer archives of the vault.
    public let above: Int

    /// Names one.
    public init(below newest: String, name: String, sequence: UInt64, created: UInt64, above: Int) {
      self.newest = newest
      self.name = name
      self.sequence = sequence
      self.created = created
      self.above = above
    }
  }
}
