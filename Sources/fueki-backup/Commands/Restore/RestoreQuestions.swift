internal import FuekiArchive
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

extension RestoreCommand {
  /// Returns answers from the options, or else from the user.
  func answers(
    _ stored: StoredArchive, _ names: SlotNames, _ vault: VaultSettings, _ configuration: Configuration,
    _ console: Console
  ) -> RestoreAnswers {
    var answers = RestoreAnswers(
      // Every byte has already been read. A damaged archive has no such guarantee.
      archiveSecrets: { try secrets.unlocking(stored, names, isVerified: !salvage, console) },
      presentKeychain: { try keychain.opening(console, vault, of: try data.path(configuration)) },
      presentKeychainUnasked: { try keychain.openingWithoutAsking(console, vault) },
      newKeychain: { open in
        let rule = PassphraseRule(
          cost.cost(vault), allowsWeak: consents.contains(.weakPassphrase),
          names: KnownNames.of(vault) + open.knownNames())
        guard try open.decodedManifest()?.manifest.isOfSourcesAlone == true else {
          return try keychain.newSlots(console, rule, vault)
        }
        let given = try keychain.newSlotsWithoutAsking(console, rule, vault)
        if given == nil {
          console.note(
            "no keychain is made: the archive is of other programs' wallets, and their files hold the keys")
        }
        return given
      },
      hazards: { try HazardQuestion.confirm($0, consents, console) }, isOwnSigner: SignerAcceptance.asks)
    if !output.json {
      answers.files = { files in
        var request = try FilesQuestion.ask(files, placing, policy)
        request?.learn(trust, configuration)
        return request
      }
      answers.ownFiles = OwnFilesQuestion.ask
    }
    return answers
  }
}

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
    put.done = { try lock?.forgetRestore(of: journal.dataDirectory) }
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

/// Asks the user whether to restore files of other programs to their home.
enum FilesQuestion {
  private static let shown = 20

  /// - Returns: nil without a terminal, or if the user declines.
  static func ask(
    _ files: [OriginalFile], _ placing: PlacingOptions, _ policy: PlacingPolicy
  ) throws -> PlacingRequest? {
    guard Terminal.isAvailable else { return nil }
    show(files, below: "The archive has files of other programs:", end: "Existing files stay as they are.")
    // Nothing is overwritten, so that the usual answer takes nothing away.
    let isWanted = try Asking.yes("put them back into your home", default: true)
    Replay.note("--files", isWanted ? "home" : "none")
    guard isWanted else { return nil }
    return try placing.request(.home, policy, isMine: true)
  }

  /// Lists the first of the files between two sentences.
  static func show(_ files: [OriginalFile], below title: String, end: String) {
    var lines = [title] + files.prefix(shown).map { "  \($0.placeText)" }
    if files.count > shown { lines.append("  and \(files.count - shown) more") }
    Asking.say(lines + [end])
  }
}

/// Asks the user whether to restore files that are no wallet's.
enum OwnFilesQuestion {
  /// - Returns: false without a terminal, or if the user declines.
  static func ask(_ files: [OriginalFile]) throws -> Bool {
    guard Terminal.isAvailable else { return false }
    FilesQuestion.show(
      files, below: "The archive has files of your own, which are no wallet's:",
      end: "They go into new folders only, and cannot be run.")
    let isWanted = try Asking.yes("put your own files back too", default: false)
    if isWanted { Replay.note("--accept", "own-files") }
    return isWanted
  }
}

/// Consent to bringing back wallets that are dangerous when old or live twice.
enum HazardQuestion {
  /// Asks once for each hazard that no option has confirmed.
  ///
  /// - Throws: ``RestoreError/hazards(_:)`` with the wallets that were not confirmed, or if there is no terminal.
  static func confirm(_ wallets: [HazardousWallet], _ consents: Consents, _ console: Console) throws {
    var confirmed = consents.hazards
    for wallet in wallets { HazardLines.warn(wallet, console) }
    for hazard in wallets.flatMap(\.hazards) where !confirmed.contains(hazard) && Terminal.isAvailable {
      let question = "restore such wallets anyway? type \"\(hazard)\" to do so, or no"
      let isConfirmed = try Asking.line(question, default: "no") { answer in
        guard answer == hazard || answer == "no" else {
          throw Failure(.usage, "that is neither \"\(hazard)\" nor \"no\"")
        }
        return answer == hazard
      }
      guard isConfirmed else { break }
      Replay.note("--accept", "hazard=\(hazard)")
      confirmed.insert(hazard)
    }
    let refused = wallets.filter { !$0.unconfirmed(confirmed).isEmpty }
    guard refused.isEmpty else { throw RestoreError.hazards(refused) }
  }
}
