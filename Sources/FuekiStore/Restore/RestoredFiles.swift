internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The choice for other programs' files, once everything else is in place.
public enum FilesChoice: Sendable {
  /// Not specified: ask, or leave them in the archive if unattended.
  case unsaid
  /// Leave them in the archive.
  case declined
  /// Put them back.
  ///
  /// The archive's ownership and the start time are determined here.
  case into(PlacingRequest)
}

/// The result for other programs' files.
public enum RestoredFiles: Sendable {
  /// There are none, or they were declined.
  case none
  /// They remain in the archive.
  case waiting([OriginalFile])
  /// They are in place, except those listed in the plan.
  case placed(PlacePlan, root: String)
  /// Putting back failed before any file.
  ///
  /// Everything else is in place.
  case stopped(PlacingError, [OriginalFile])

  /// Whether no file remains in the archive that the user may want back.
  public var isComplete: Bool {
    switch self {
    case .none: true
    case .waiting, .stopped: false
    case .placed(let plan, _): plan.isComplete
    }
  }
}

extension RestoreRun {
  /// Puts files back, or lists the candidates.
  ///
  /// Everything else is already in place, and nothing here reverts it.
  func placeFiles(
    of open: any UnlockedArchive, isMine: Bool, _ session: RestoreSession, _ lock: LockedState
  ) throws -> RestoredFiles {
    if case .declined = files { return .none }
    // Files from outside the home directory have no place on a new machine, unless one is given.
    let found = try open.originalFiles()
    // Files belong to no wallet, but can be selected as items.
    let all = found.placeable(in: order.selection, of: order.wallets).filter { file in
      if case .into = files { true } else { file.place?.starts(with: Array("~/".utf8)) ?? false }
    }
    guard !all.isEmpty else { return .none }
    let wanted: PlacingRequest?
    switch files {
    case .into(let request): wanted = request
    case .unsaid: wanted = isMine ? try answers.files(all) : nil
    case .declined: wanted = nil
    }
    guard var request = wanted else { return .waiting(all) }
    try session.willPlace(request)
    request.isMine = isMine
    request.own.prove(archive.stored, isIntact: open is OpenArchive)
    try request.own.learn(of: open, from: lock.directory)
    request.selection = order.selection
    if !order.wallets.isEmpty { request.places = Set(all.compactMap(\.place)) }
    let journal = try lock.begin(
      PlacingJournal(
        archive: open.digest.hex, root: request.root, policy: request.policy, now: SystemClock.now))
    request.stamp = journal.stamp
    request.token = journal.token
    do {
      var plan = try open.placePlan(request, of: found)
      let own = plan.awaitingConsent
      if !own.isEmpty, try answers.ownFiles(own) {
        request.own.isAccepted = true
        try session.willPlace(request)
        plan = try open.placePlan(request, of: found)
      }
      try lock.keepFolders(of: plan, from: open)
      plan = try open.place(plan, request) { try report(.putBack($0.path)) }
      try lock.forgetMissingFolders(open.facts.vaultID)
      try lock.forget(journal)
      return .placed(plan, root: request.root.path)
    } catch let error as PlacingError {
      try lock.forget(journal)
      return .stopped(error, all)
    }
  }
}
