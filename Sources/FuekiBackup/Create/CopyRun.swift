internal import FuekiCrypto
public import FuekiArchive
public import FuekiSystem

/// Copies archives between targets, until each has the newest of a vault and the base that it needs.
public struct CopyRun {
  /// The targets that have archives and get them.
  public let targets: [Target]
  /// The signers whose archives are the user's.
  public let trust: Trust
  /// The vault whose archives are copied; nil for every vault.
  public var vault: VaultID?
  /// Copies every archive, not only the newest.
  public var copiesAll = false
  /// The options of recovery files and private keys, which apply to each copy.
  public var options = PublicationOptions()
  private let report: (BackupProgress) throws -> Void

  /// - Parameters:
  ///   - targets: at least two.
  ///   - trust: the signers whose archives are the user's.
  ///   - report: receives each step. An error that it throws ends the run.
  public init(
    between targets: [Target], trust: Trust, report: @escaping (BackupProgress) throws -> Void
  ) {
    self.targets = targets
    self.trust = trust
    self.report = report
  }

  /// Copies the missing archives.
  ///
  /// - Parameter state: this machine's state. The lock is held until the run ends.
  /// - Returns: the copies, and the failures.
  /// - Throws: the first target's error if none answers; ``FindingError/noArchives(targets:)`` and
  ///   ``LineageError/notMine(sequence:_:)`` if no archive there is the user's; errors from reading.
  public func run(state: LockedState) throws -> CopyOutcome {
    var outcome = CopyOutcome()
    for vault in try vaults() {
      let survey = try TargetSurvey(of: targets, for: vault, state)
      let ownerships = try Ownerships(of: survey.archives, trust: trust)
      try state.note(survey.found, ownerships, of: vault)
      let mine = survey.archives.filter { $0.facts.vaultID == vault && ownerships[$0] == .mine }
      var catchUp = CatchUp(
        vaultID: vault, found: survey.found, trust: trust, state: state, machine: try state.machineID(),
        label: "wallet", options: options)
      try catchUp.bring(all: wanted(mine, try state.directory.vault(vault)), report)
      outcome.add(catchUp.report, of: vault)
      let copied = Set(catchUp.report.copied.map { Target(holding: $0.path).place })
      let read = catchUp.found.filter { $0.target.kind != .rclone && !copied.contains($0.target.place) }
      let failures = try survey.failures + damagedCopies(in: read, mine, of: vault, state)
      outcome.failures += failures.filter { failure in
        !outcome.failures.contains { $0.path == failure.path }
      }
    }
    return outcome
  }

  /// The folders whose newest archive is damaged, by a verification of the last day or by reading it now.
  private func damagedCopies(
    in found: [(target: Target, entries: [TargetEntry])], _ mine: [StoredArchive], of vault: VaultID,
    _ state: LockedState
  ) throws -> [TargetFailure] {
    guard let newest = mine.max(by: { $0.facts.sequence < $1.facts.sequence }) else { return [] }
    let (digest, sequence) = (newest.statedDigest, newest.facts.sequence)
    return try found.compactMap { target, entries in
      let files = entries.filter { $0.archive?.statedDigest == digest }
      guard !files.isEmpty else { return nil }
      return try TargetFailure.of(target) {
        let check = DailyCheck(state: state.directory, vault: vault, target: target)
        guard try check.isWhole(files, { _ in }) else {
          throw TargetError.damagedCopy(path: target.path, sequence: sequence)
        }
      }
    }
  }

  /// The archives that every target should have.
  private func wanted(_ mine: [StoredArchive], _ state: VaultState) -> Set<Digest> {
    guard !copiesAll else { return Set(mine.map(\.statedDigest)) }
    let newest = mine.map(\.facts.sequence).max()
    let only = Set((state.inventory?.onlyIn() ?? [:]).keys)
    return Set(
      mine.filter { $0.facts.sequence == newest || only.contains($0.statedDigest.hex) }.map(\.statedDigest))
  }

  /// Returns the vaults of the user's archives.
  private func vaults() throws -> [VaultID] {
    var archives: [StoredArchive] = []
    var first: (any Error)?
    for target in targets {
      do {
        archives += try target.entries().compactMap(\.archive)
      } catch  where Interrupted.isCause(of: error) {
        throw Interrupted()
      } catch {
        first = first ?? error
      }
    }
    let named = archives.filter { vault == nil || $0.facts.vaultID == vault }
    let ownerships = try Ownerships(of: named, trust: trust)
    let mine = Set(named.filter { ownerships[$0] == .mine }.map(\.facts.vaultID))
    if mine.isEmpty, let any = named.max(by: { $0.facts.sequence < $1.facts.sequence }) {
      throw LineageError.notMine(sequence: any.facts.sequence, ownerships[any])
    }
    guard !mine.isEmpty else { throw first ?? FindingError.noArchives(targets: targets.map(\.path)) }
    return mine.sorted()
  }
}

/// The result of copying.
public struct CopyOutcome: Sendable {
  /// The copies of each vault, and those that failed.
  public private(set) var reports: [(vault: VaultID, report: CopyReport)] = []
  /// The targets that did not answer.
  public internal(set) var failures: [TargetFailure] = []

  /// Whether every target is complete.
  public var isComplete: Bool { failures.isEmpty && reports.allSatisfy(\.report.isComplete) }

  mutating func add(_ report: CopyReport, of vault: VaultID) { reports.append((vault, report)) }
}

/// An archive that was copied to a target that did not have it.
public struct CopiedArchive: Sendable {
  /// The archive's number and digest.
  public let link: VaultState.Link
  /// The copy's path.
  public let path: String
  /// The archive's length.
  public let byteCount: UInt64
  /// The copy's recovery files.
  public let parity: [ParityFile]
}

/// The archives that targets got which had been without them, and those that they still lack.
public struct CopyReport: Sendable {
  /// An archive that a target still lacks.
  public struct Failure: Sendable {
    /// The archive's number and digest.
    public let link: VaultState.Link
    /// The target's path.
    public let target: ExactText
    /// The reason.
    public let error: any Error
  }

  /// The copies, in the order in which they were made.
  public internal(set) var copied: [CopiedArchive] = []
  /// The archives that could not be copied.
  public internal(set) var failures: [Failure] = []
  /// The copies that lack their requested recovery files.
  public internal(set) var withoutParity: [String] = []
  /// The promises that the targets' file systems do not make.
  public internal(set) var warnings: [TargetWarning] = []

  /// Nothing was copied.
  public init() {}

  /// Whether every copy was made, with its recovery files.
  public var isComplete: Bool { failures.isEmpty && withoutParity.isEmpty }
}
