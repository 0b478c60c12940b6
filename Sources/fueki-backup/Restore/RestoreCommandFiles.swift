internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// The part of a restore that is about the files of other programs.
extension RestoreCommand {
  /// The handling of files that differ, in the terms of files.
  var policy: PlacingPolicy {
    switch onConflict {
    case .rename: .rename
    case .replace: .replace
    case .fail, .skip, .newer: item.isEmpty ? .fail : .rename
    }
  }

  /// Returns what happens with the files of other programs: as requested, or as in the run that is continued.
  func filesChoice(_ order: RestoreOrder, _ configuration: Configuration) throws -> FilesChoice {
    guard let files else {
      guard let how = order.placing,
        var request = try how.options.request(how.argument, how.rule, isMine: false)
      else { return .unsaid }
      request.learn(trust, configuration)
      return .into(request)
    }
    guard var request = try placing.request(files, policy, isMine: false) else { return .declined }
    request.learn(trust, configuration)
    return .into(request)
  }

  /// Continues an interrupted restore that was restoring files.
  func putBack(_ journal: RestoreJournal, _ how: RestoreJournal.Placing) throws {
    var lock: LockedState?
    var put = PutBack(
      archive: journal.archive, files: how.argument, policy: how.rule, placing: how.options, dryRun: false,
      settings: settings, targets: targets, trust: trust, secrets: secrets, sandbox: sandbox,
      output: output)
    put.digest = journal.digest
    put.items = journal.wallets
    put.selection = try SectionSelection(only: journal.sections, exclude: [])
    put.done = { if let lock { try RestoreOrder.forget(journal, lock) } }
    try put.run {
      let taken = try Places.state().lock(
        purpose: "restore --resume", processID: CurrentProcess.identifier)
      lock = taken
      return taken
    }
  }
}

extension RestoreJournal.Placing {
  /// The options of the interrupted run.
  var options: PlacingOptions {
    var options = PlacingOptions()
    options.followsLinks = followsLinks
    options.ignoresRunning = ignoresRunning
    options.acceptsOwnFiles = acceptsOwnFiles ?? false
    options.acceptsUnprotected = acceptsUnprotected ?? false
    return options
  }

  var argument: PlacingArgument { folder.map { .folder($0) } ?? .home }

  fileprivate var rule: PlacingPolicy { PlacingPolicy(rawValue: policy) ?? .fail }
}
