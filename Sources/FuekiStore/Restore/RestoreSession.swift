internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A run of a restore that writes: its destination, and a journal for resuming.
final class RestoreSession {
  /// The merge with an existing wallet; nil for a new place.
  private(set) var merge: MergeDestination?
  private var fresh: StoreDestination?
  private let lock: LockedState
  private let selection: SectionSelection
  private let policy: ConflictPolicy
  private let resumed: RestoreJournal?
  private let keepsStages: Bool
  private let isResuming: Bool
  private var journal: RestoreJournal
  /// The results for the secrets, which the journal gets once they are confirmed.
  private var secrets: RestoreJournal.Secrets?
  /// Whether everything is in place, so that only the questions to chains could be stopped.
  private(set) var isInPlace = false

  private let report: (RestoreEvent) throws -> Void

  /// Starts or resumes a run.
  ///
  /// - Parameters:
  ///   - order: the restore's parameters.
  ///   - journal: the journal to keep.
  ///   - keepsStages: whether another run may resume it; a salvage's losses are known only to its own run.
  ///   - lock: the machine's lock.
  ///   - report: receives events about the staged data.
  init(
    _ order: RestoreOrder, _ journal: RestoreJournal, keepsStages: Bool, _ lock: LockedState,
    _ report: @escaping (RestoreEvent) throws -> Void
  ) {
    self.lock = lock
    self.keepsStages = keepsStages
    self.report = report
    selection = order.selection
    policy = order.policy
    resumed = order.stopped.flatMap {
      $0.journal.isResumable && $0.journal.program == journal.program ? $0.journal : nil
    }
    isResuming = order.isResuming
    self.journal = resumed ?? journal
  }

  /// Returns the destination and the keychain for the secrets, both resumed if possible.
  func place(for open: any UnlockedArchive) throws -> (any Destination, (any KeychainAccess)?) {
    let directory = journal.dataDirectory
    journal.digest = open.digest.hex
    journal.scopes = open.scopes.map(\.name)
    journal.notRestored =
      open.closedScopes(of: selection).map(\.name) + open.unknownSections.map { "section-\($0)" }
      + (open is SalvagedArchive ? ["what is damaged"] : [])
    guard try MergeDestination.isThere(directory) else {
      let destination = try freshDestination(directory)
      fresh = destination
      // The destination belongs to this session, and must not outlive it.
      destination.keychain.didConfirm = { [unowned self] in
        // Before the stage has ended, the journal gets them with its result.
        guard let secrets else { return }
        journal.secrets = secrets
        try keepStaging()
      }
      let scratch = try destination.makeScratch()
      try keep(scratch.path, scratch.inode, nil)
      return (destination, destination.keychain)
    }
    let destination = try mergeDestination(directory, open)
    merge = destination
    // The destination belongs to this session, and must not outlive it.
    destination.willSwap = { [unowned self] previous in
      journal.phase = .swapping
      journal.previous = previous
      try lock.keep(journal)
    }
    let scratch = try destination.scratchState()
    try keep(scratch.path, scratch.inode, scratch.present)
    return (destination, destination.keychain)
  }

  /// Records a completed stage.
  func passed(_ result: StageResult) throws {
    guard result.stage != .restoreHistory else { return settle() }
    guard !isInPlace else { return }
    guard journal.scratch != nil || result.stage == .verify || result.stage == .authenticate else { return }
    if !journal.stages.contains(result.stage.rawValue) { journal.stages.append(result.stage.rawValue) }
    if case .read(_, let proofs) = result.result, proofs.withheld > 0 {
      journal.notRestored = (journal.notRestored ?? []) + ["what differs from its proof"]
    }
    if result.stage == .decryptShares, keepsStages, journal.secrets == nil {
      var report = merge?.keychain.report ?? MergeReport()
      if merge == nil {
        for (name, count) in result.counts {
          guard let section = Section(name: name) else { continue }
          report.counts[section, default: MergeCounts()].added = count
        }
      }
      secrets = RestoreJournal.Secrets(report)
      if fresh?.keychain.isUnconfirmed != true { journal.secrets = secrets }
    }
    try keepStaging()
  }

  private func keepStaging() throws {
    if journal.scratch != nil, journal.phase == .staging { try lock.keep(journal) }
  }

  // The directory's inode proves that it is in place, even if the journal cannot be written.
  private func settle() {
    isInPlace = true
    journal.phase = .placed
    if merge != nil, merge?.report.previous == nil { journal.previous = nil }
    if !journal.stages.contains(RestoreStage.restoreHistory.rawValue) {
      journal.stages.append(RestoreStage.restoreHistory.rawValue)
    }
    try? lock.keep(journal)
  }

  /// Records the choice for putting files back, so that another run can resume that too.
  func willPlace(_ request: PlacingRequest) throws {
    journal.placing = RestoreJournal.Placing(request)
    if isInPlace { try lock.keep(journal) }
  }

  /// Removes the journal of a failed run, unless it failed before staging anything.
  func fail() throws {
    guard resumed == nil || merge != nil || fresh != nil else { return }
    try forget()
  }

  /// Leaves the staged data to another run.
  ///
  /// - Returns: false if there is none, in which case the journal is removed.
  func stop() throws -> Bool {
    guard journal.isResumable else {
      try forget()
      return false
    }
    merge?.leave()
    fresh?.leave()
    return true
  }

  /// Removes the journal: the restore is in place, or nothing is.
  func forget() throws { try lock.forgetRestore(of: journal.dataDirectory) }

  private func keep(_ path: String, _ inode: UInt64, _ present: String?) throws {
    if journal.scratch.map(ExactText.init(_:)) != ExactText(path) {
      let early = [RestoreStage.verify, .authenticate].map(\.rawValue)
      journal.secrets = nil
      journal.stages.removeAll { !early.contains($0) }
    }
    (journal.phase, journal.previous) = (.staging, nil)
    (journal.scratch, journal.inode, journal.present) = (path, inode, present)
    try lock.keep(journal)
  }

  private func freshDestination(_ directory: String) throws -> StoreDestination {
    if let resumed, let path = resumed.scratch, let secrets = resumed.secrets, resumed.present == nil {
      let counts = secrets.report.counts.mapValues(\.all)
      if let destination = try? StoreDestination(resuming: path, of: directory, secrets: counts) {
        return destination
      }
    }
    try startAnew(directory)
    return try StoreDestination(dataDirectory: directory)
  }

  private func mergeDestination(
    _ directory: String, _ open: any UnlockedArchive
  ) throws -> MergeDestination {
    if let resumed, let path = resumed.scratch, let present = resumed.present, let secrets = resumed.secrets,
      let destination = try MergeDestination(
        resuming: .init(path: path, present: present, secrets: secrets.report), of: directory, archive: open,
        selection: selection, onConflict: policy, time: SystemClock.now)
    {
      return destination
    }
    try startAnew(directory)
    return try MergeDestination(
      dataDirectory: directory, archive: open, selection: selection, onConflict: policy,
      time: SystemClock.now)
  }

  private func startAnew(_ directory: String) throws {
    if isResuming { try report(.stagedAnew) }
    try StoreDestination.removeLeftovers(besideDataDirectory: directory)
  }
}
