internal import FuekiBackup

/// An unfinished restore into a data directory, as recorded in its journal.
struct StoppedRestore {
  let journal: RestoreJournal
  private let swap: UnsettledSwap?

  private init(_ journal: RestoreJournal) {
    self.journal = journal
    guard journal.phase != .placed else {
      swap = nil
      return
    }
    swap = journal.inode.map {
      UnsettledSwap(of: journal.dataDirectory, previous: journal.previous, inode: $0)
    }
  }

  static func find(_ directory: String, _ state: StateDirectory) throws -> StoppedRestore? {
    try state.restoreJournal(of: directory).map(StoppedRestore.init)
  }

  /// Whether everything was in place when it was stopped.
  var isOver: Bool {
    get throws { try journal.phase == .placed || swap?.state() == .done }
  }

  /// Reverts a swap that was only prepared.
  func undoSwap() throws {
    guard journal.phase == .swapping else { return }
    try swap?.undo()
  }

  /// Cleans up a stopped run before a new one.
  static func clearAway(
    _ directory: String, _ state: StateDirectory, _ lock: LockedState,
    _ report: (RestoreEvent) throws -> Void
  ) throws {
    do {
      if let stopped = try find(directory, state), try !stopped.isOver {
        try report(.beginsAnew(archive: stopped.journal.archive))
        try stopped.undoSwap()
      }
    } catch StateError.damaged {
      // Possibly another version's journal. It has only the state of a stopped run.
      try report(.journalUnreadable)
    }
    try lock.forgetRestore(of: directory)
  }
}
