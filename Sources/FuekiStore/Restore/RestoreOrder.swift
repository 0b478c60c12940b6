internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// A restore's parameters, as requested or as in a stopped run.
public struct RestoreOrder {
  /// The data directory to restore into.
  public let dataDirectory: String
  /// The sections to restore.
  public let selection: SectionSelection
  /// The ids of the wallets to restore, and items as in ``Holding/item``; empty for everything.
  public let wallets: [String]
  /// The rule for existing records that differ.
  public let policy: ConflictPolicy
  let stopped: StoppedRestore?

  /// Creates a new restore.
  ///
  /// - Parameters:
  ///   - dataDirectory: the data directory to restore into.
  ///   - selection: the sections to restore.
  ///   - wallets: the ids of the wallets to restore, and items; empty for everything.
  ///   - policy: the rule for existing records that differ.
  public init(
    into dataDirectory: String, _ selection: SectionSelection, ofWallets wallets: [String],
    onConflict policy: ConflictPolicy
  ) {
    self.dataDirectory = dataDirectory
    self.selection = selection
    self.wallets = wallets
    self.policy = policy
    stopped = nil
  }

  /// Resumes a stopped restore.
  private init(_ stopped: StoppedRestore, into dataDirectory: String) throws {
    let journal = stopped.journal
    self.dataDirectory = dataDirectory
    selection = try SectionSelection(only: journal.sections, exclude: [])
    wallets = journal.wallets
    policy = ConflictPolicy(rawValue: journal.policy) ?? .fail
    self.stopped = stopped
  }

  /// The remaining work of a stopped restore.
  public enum Resumed {
    /// No work: everything was already in place.
    ///
    /// Its journal has been removed.
    case over(RestoreJournal)
    /// Only files of other programs remain.
    case files(RestoreJournal, RestoreJournal.Placing)
    /// Everything else remains.
    case rest(RestoreOrder)
  }

  /// Resumes a stopped restore.
  ///
  /// - Parameters:
  ///   - dataDirectory: the data directory that it restored into.
  ///   - state: this machine's state.
  /// - Returns: the remaining work.
  /// - Throws: ``RestoreError/nothingStopped(path:)``, ``StateError/locked(owner:)``, and errors of reading
  ///   its journal.
  public static func resuming(_ dataDirectory: String, _ state: StateDirectory) throws -> Resumed {
    guard let stopped = try StoppedRestore.find(dataDirectory, state) else {
      throw RestoreError.nothingStopped(path: dataDirectory)
    }
    guard try stopped.isOver else { return .rest(try RestoreOrder(stopped, into: dataDirectory)) }
    if let placing = stopped.journal.placing {
      return .files(stopped.journal, placing)
    }
    let lock = try state.lock(purpose: "restore --resume", processID: CurrentProcess.identifier)
    try lock.forgetRestore(of: stopped.journal.dataDirectory)
    return .over(stopped.journal)
  }

  /// The path of the stopped run's archive; nil for a new restore.
  public var archive: String? { stopped?.journal.archive }

  /// The stopped run's choice for putting files back; nil if there was none.
  public var placing: RestoreJournal.Placing? { stopped?.journal.placing }

  /// Whether it resumes a stopped run.
  var isResuming: Bool { stopped != nil }

  /// Checks that a restore to the place is possible, before asking or reading anything.
  ///
  /// Anything but a wallet is never overwritten, nor is a running wallet.
  public func checkPlace() throws { _ = try MergeDestination.isThere(dataDirectory) }

  /// Prepares the place, now that no other run can be working there.
  func begin(
    _ state: StateDirectory, _ lock: LockedState, _ report: (RestoreEvent) throws -> Void
  ) throws {
    guard let stopped else {
      try StoppedRestore.clearAway(dataDirectory, state, lock, report)
      return try StoreDestination.removeLeftovers(besideDataDirectory: dataDirectory)
    }
    // Another run may have resumed it before this one had the lock.
    guard let now = try StoppedRestore.find(dataDirectory, state), now.journal == stopped.journal,
      try !now.isOver
    else { throw StateError.locked(owner: nil) }
    try now.undoSwap()
  }

  /// Checks that an archive is the stopped run's, with the same scopes open.
  func check(_ open: any UnlockedArchive) throws {
    guard let begun = stopped?.journal else { return }
    guard begun.digest == open.digest.hex else { throw RestoreError.anotherArchive(path: begun.archive) }
    let scopes = open.scopes.map(\.name)
    guard begun.scopes == scopes else {
      throw RestoreError.opensOtherScopes(scopes, begunWith: begun.scopes)
    }
  }

  /// Creates the journal of a run with these parameters.
  func journal(archive path: String, program: String) -> RestoreJournal {
    RestoreJournal(
      dataDirectory: dataDirectory, archive: path, digest: stopped?.journal.digest ?? "",
      selection: selection, wallets: wallets, policy: policy, program: program, began: SystemClock.now)
  }
}
