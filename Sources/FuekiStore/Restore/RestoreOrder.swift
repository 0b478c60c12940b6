internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// What a restore is to do: as somebody asks for it, or as the run that was stopped was told.
public struct RestoreOrder {
  /// What is restored into.
  public let dataDirectory: String
  /// The sections that are wanted.
  public let selection: SectionSelection
  /// The ids of the wallets that are wanted, and the things, as ``Holding/item`` has them; none if everything is.
  public let wallets: [String]
  /// What becomes of records that are there and differ.
  public let policy: ConflictPolicy
  let stopped: StoppedRestore?

  /// A restore that begins.
  ///
  /// - Parameters:
  ///   - dataDirectory: what is restored into.
  ///   - selection: the sections that are wanted.
  ///   - wallets: the ids of the wallets that are wanted, and the things; none if everything is.
  ///   - policy: what becomes of records that are there and differ.
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

  /// A restore that goes on with one that was stopped.
  private init(_ stopped: StoppedRestore, into dataDirectory: String) throws {
    let journal = stopped.journal
    self.dataDirectory = dataDirectory
    selection = try SectionSelection(only: journal.sections, exclude: [])
    wallets = journal.wallets
    policy = ConflictPolicy(rawValue: journal.policy) ?? .fail
    self.stopped = stopped
  }

  /// What there is left to do of a restore that was stopped.
  public enum Resumed {
    /// Nothing: it was stopped when everything was in place already. Its journal is kept no longer.
    case over(RestoreJournal)
    /// Everything is in place but files of other programs.
    case files(RestoreJournal, RestoreJournal.Placing)
    /// The rest of it.
    case rest(RestoreOrder)
  }

  /// Goes on with a restore that was stopped.
  ///
  /// - Parameters:
  ///   - dataDirectory: what it restored into.
  ///   - state: what this machine remembers.
  /// - Returns: what there is left to do.
  /// - Throws: ``RestoreError/nothingStopped(path:)``, ``StateError/locked(owner:)``, and what reading its journal
  ///   throws.
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

  /// Ends the journal of a restore whose files are put back now.
  public static func forget(_ journal: RestoreJournal, _ lock: LockedState) throws {
    try lock.forgetRestore(of: journal.dataDirectory)
  }

  /// The path of the archive that was begun with; nil where nothing was.
  public var archive: String? { stopped?.journal.archive }

  /// How files are put back at the end, as the run that was stopped was told; nil where it was not.
  public var placing: RestoreJournal.Placing? { stopped?.journal.placing }

  /// Whether it goes on with one that was stopped.
  var isResuming: Bool { stopped != nil }

  /// Makes sure that what is there can be restored into, before anything is asked for or read: what is no wallet is
  /// never overwritten, nor is one that is running.
  public func checkPlace() throws { _ = try MergeDestination.isThere(dataDirectory) }

  /// Makes the place ready, now that no other run is at work there.
  func begin(
    _ state: StateDirectory, _ lock: LockedState, _ report: (RestoreEvent) throws -> Void
  ) throws {
    guard let stopped else {
      try StoppedRestore.clearAway(dataDirectory, state, lock, report)
      return try StoreDestination.removeLeftovers(besideDataDirectory: dataDirectory)
    }
    // Another run may have gone on with it before this one had the lock.
    guard let now = try StoppedRestore.find(dataDirectory, state), now.journal == stopped.journal,
      try !now.isOver
    else { throw StateError.locked(owner: nil) }
    try now.undoSwap()
  }

  /// Makes sure that an archive is the one that was begun with, and that as much of it is open.
  func check(_ open: any UnlockedArchive) throws {
    guard let begun = stopped?.journal else { return }
    guard begun.digest == open.digest.hex else { throw RestoreError.anotherArchive(path: begun.archive) }
    let scopes = open.scopes.map(\.name)
    guard begun.scopes == scopes else {
      throw RestoreError.opensOtherScopes(scopes, begunWith: begun.scopes)
    }
  }

  /// The journal of a run that does this.
  func journal(archive path: String, program: String) -> RestoreJournal {
    RestoreJournal(
      dataDirectory: dataDirectory, archive: path, digest: stopped?.journal.digest ?? "",
      selection: selection, wallets: wallets, policy: policy, program: program, began: SystemClock.now)
  }
}
