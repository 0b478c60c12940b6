internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

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
    _ directory: String, _ state: StateDirectory, _ lock: LockedState, _ console: Console
  ) throws {
    do {
      if let stopped = try find(directory, state), try !stopped.isOver {
        console.warning(
          "a restore of \(stopped.journal.archive) was stopped here; this one begins anew"
            + " (--resume would have gone on)")
        try stopped.undoSwap()
      }
    } catch BackupError.stateDamaged {
      // Another version's, perhaps: it is only what a stopped run remembered.
      console.warning("a restore was stopped here, and its journal cannot be read; this one begins anew")
    }
    try lock.forgetRestore(of: directory)
  }
}

/// What `restore` is to do: as its options say, or as the run that was stopped was told.
struct RestoreWork {
  /// A path, a short id or "latest"; of a stopped run the path.
  let archive: String
  let selection: SectionSelection
  let wallets: [String]
  let policy: ConflictPolicy
  private let begun: RestoreJournal?

  init(_ command: RestoreCommand, _ directory: String, resuming journal: RestoreJournal?) throws {
    guard command.resume else {
      archive = command.archive ?? "latest"
      selection = try command.only.selection()
      (wallets, policy, begun) = (command.wallet, command.onConflict, nil)
      return
    }
    guard let journal else {
      throw Failure.Thrown(
        failure: Failure(
          .notFound, "no restore into \(directory) was stopped", meaning: "nothing was changed",
          hint: "leave --resume out to begin one"))
    }
    archive = journal.archive
    selection = try SectionSelection(only: journal.sections, exclude: [])
    wallets = journal.wallets
    policy = ConflictPolicy(rawValue: journal.policy) ?? .fail
    begun = journal
  }

  /// Makes sure that an archive is the one that was begun with, and that as much of it is open.
  func check(_ open: any UnlockedArchive) throws {
    guard let begun else { return }
    let hint = "leave --resume out to begin anew"
    guard begun.digest == open.digest.hex else {
      throw Failure.Thrown(
        failure: Failure(
          .failed, "\(archive) is not the archive that the restore was begun with",
          meaning: "nothing was changed", hint: hint))
    }
    let scopes = open.scopes.map(\.name)
    guard begun.scopes == scopes else {
      throw Failure.Thrown(
        failure: Failure(
          .wrongSecret,
          "this secret opens \(scopes.joined(separator: ", "));"
            + " the restore was begun with \(begun.scopes.joined(separator: ", "))",
          meaning: "nothing was changed", hint: "give the secret that it was begun with, or " + hint))
    }
  }

  /// The journal of a run that does this.
  func journal(_ directory: String, _ path: String) -> RestoreJournal {
    RestoreJournal(
      dataDirectory: directory, archive: path, digest: begun?.digest ?? "", selection: selection,
      wallets: wallets, policy: policy, program: Program.version, began: SystemClock.now)
  }
}

extension BackupError {
  /// Whether a restore goes on once somebody has said that it should all the same.
  var asksForConsent: Bool {
    switch self {
    case .olderShares, .proofsDiffer: true
    default: false
    }
  }
}

extension Failure {
  /// A restore that was stopped, and that another run can go on with.
  static var stopped: Failure {
    Failure(
      .stopped, "stopped part-way",
      meaning: "the data directory is as it was; what is staged waits beside it",
      hint: "restore --resume goes on; it asks for the archive's secret again, which is kept nowhere")
  }
}
