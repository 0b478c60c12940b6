internal import FuekiBackup

/// A restore into a data directory that did not come to its end, as its journal tells it.
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

  /// Takes back a swap that had only been prepared.
  func undoSwap() throws {
    guard journal.phase == .swapping else { return }
    try swap?.undo()
  }

  /// Clears away what one that was stopped has left, for one that begins anew.
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
      // Another version's, perhaps: it is only what a stopped run remembered.
      try report(.journalUnreadable)
    }
    try lock.forgetRestore(of: directory)
  }
}
