internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// What becomes of the files of other programs once everything else is in place.
public enum FilesChoice: Sendable {
  /// Nobody said: a person is asked, and without one they stay in the archive.
  case unsaid
  /// They stay in the archive.
  case declined
  /// They are put back; whose the archive is, and when that began, is found here.
  case into(PlacingRequest)
}

/// What became of the files of other programs.
public enum RestoredFiles: Sendable {
  /// There are none, or they were declined.
  case none
  /// They are left in the archive.
  case waiting([OriginalFile])
  /// They are in their places, but for those that the plan names.
  case placed(PlacePlan, root: String)
  /// None could be put back; everything else is in place.
  case stopped(PlacingError, [OriginalFile])

  /// Whether nothing is left in the archive that somebody may want back.
  public var isComplete: Bool {
    switch self {
    case .none: true
    case .waiting, .stopped: false
    case .placed(let plan, _): plan.isComplete
    }
  }
}

extension RestoreRun {
  /// Puts files back, or says which could be.
  ///
  /// Everything else is in place by now, and nothing that happens here takes any of it back.
  func placeFiles(
    of open: any UnlockedArchive, isMine: Bool, _ session: RestoreSession, _ lock: LockedState
  ) throws -> RestoredFiles {
    if case .declined = files { return .none }
    // What lay elsewhere has no place on a new machine, unless somebody names one.
    let found = try open.originalFiles()
    // A file belongs to no wallet that was chosen; it is a thing itself.
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
    request.selection = order.selection
    if !order.wallets.isEmpty { request.places = Set(all.compactMap(\.place)) }
    let journal = try lock.begin(
      PlacingJournal(
        archive: open.digest.hex, root: request.root, policy: request.policy, now: SystemClock.now))
    request.stamp = journal.stamp
    if let token = journal.token { request.token = token }
    do {
      let plan = try open.place(try open.placePlan(request, of: found), request) {
        try report(.putBack($0.path))
      }
      try lock.forget(journal)
      return .placed(plan, root: request.root.path)
    } catch let error as PlacingError {
      try lock.forget(journal)
      return .stopped(error, all)
    }
  }
}
