internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The options of every change of an archive's keys: the archive, its secrets, and the fate of closed slots.
struct KeyChangeOptions: ParsableArguments {
  @Argument(
    help: .archive, completion: .file())
  var archive: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @Option(
    help: ArgumentHelp(
      "Keep slot N, which stays closed here, for its recipient or its guardians' public file.",
      valueName: "n=age1…|file"))
  var keep: [String] = []
  @Option(help: ArgumentHelp("Remove slot N, which stays closed here.", valueName: "n"))
  var drop: [Int] = []
  @OptionGroup var trust: TrustOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  /// The archive, fully opened, and its place.
  struct Subject {
    /// The configuration, with the facts that are no longer accessible.
    let configuration: Configuration
    let open: OpenArchive
    let stored: StoredArchive
    let path: String
    /// The accepted state of a vault that was unknown to this machine.
    let accepted: VaultState?
    /// The vault's other archives.
    let siblings: [StoredArchive]

    var slots: [SlotSummary] { stored.slots }
  }

  /// Opens the archive, after the process has given up its other rights, and makes sure that nothing of it would be
  /// lost.
  ///
  /// `adding` adds the needs of the new keys.
  func subject(
    _ loaded: Configuration, _ console: Console, adding: (inout SandboxNeeds) throws -> Void = { _ in }
  ) throws -> Subject {
    try secrets.readCommand(console)
    try signing.readCommand(console)
    var needs = try needs(loaded)
    try adding(&needs)
    let configuration = try sandbox.enter(needs, loaded, console)
    // A missing target is listed at the end. This machine's state shows whether the others have the newest archive.
    let given = targets.targets(configuration)
    let present = given.filter { (try? $0.check()) != nil }
    let found = try FoundArchive(
      archive, in: present.isEmpty ? given : present, trust, configuration, console)
    let stored = found.stored
    // A stranger can make an archive for a public key, and re-encryption would sign it as the user's.
    if found.ownership == .stranger { try found.checkMine() }
    try found.checkNewest()
    let unlocking = try secrets.unlocking(stored, configuration.slotNames(of: stored), console)
    let open = try stored.opened(
      with: unlocking, names: configuration.slotNames(of: stored), bases: found.bases,
      trusting: found.trusted)
    try KeyChange.checkWhole(open)
    var accepted: VaultState?
    if found.ownership == .unknown {
      let proof = try SignerAcceptance(secrets: unlocking).accept(open, siblings: found.siblings)
      if proof == nil { try found.checkMine() }
      if let doubt = proof?.doubt { throw doubt }
      accepted = proof?.state
    }
    // After the state was lost, the next backup compares its contents with these.
    if try Places.state().vault(stored.facts.vaultID).known == nil {
      var learned = accepted ?? VaultState()
      learned.learn(contentsOf: open)
      accepted = learned
    }
    return Subject(
      configuration: configuration, open: open, stored: stored, path: found.path, accepted: accepted,
      siblings: found.siblings)
  }

  /// Re-encrypts the archive with these slots, and reports the result.
  ///
  /// The handover updates the passphrase's file, and `more` reports the rest once the new archive is complete.
  ///
  /// - Throws: ``ExitStatus/partial`` if a target lacks the new archive or its recovery files, or the passphrase's
  ///   file could not be updated.
  func seal(
    _ subject: Subject, opening slots: [NewSlot], handingOver handover: PassphraseHandover? = nil,
    _ console: Console, then more: () throws -> Void = {}
  ) throws {
    let configuration = subject.configuration
    let vault = try configuration.vault()
    try vault.checkParity()
    let vaultID = subject.open.facts.vaultID
    var change = KeyChange(
      targets: destinations(of: subject, configuration), slots: slots,
      signing: try signing.archiveSigning(vault, of: vaultID, console),
      created: UInt64(max(0, SystemClock.now) / 1_000_000))
    change.options = vault.publicationOptions
    let state = try lock.take("key", output)
    if let accepted = subject.accepted {
      try state.accept(accepted, of: vaultID, signing: change.signing, among: subject.siblings)
      // The next backup without a store continues the vault whose state was lost.
      if vault.from?.contains("store") == false, try state.keptStorelessVaultID() == nil {
        try state.keepStoreless(vaultID)
      }
    }
    change.trust = try trust.trust(configuration)
    let progress = try output.progressLine
    let outcome: PublishedArchive
    do {
      let run = { try change.run(subject.open, state: state) { try progress.show($0.text, $0.amount) } }
      outcome = try handover?.run(of: vaultID, state, change.targets, run) ?? run()
    } catch LineageError.unsignedSuccessor {
      throw CommandError.usage("this archive is signed, so the next must be signed too: use --sign-key")
    }
    progress.clear()
    let stored = handover?.finish(console)
    let written = outcome.archive
    for path in outcome.paths {
      // It is this machine's newest there, which "status" misses if it goes.
      try? state.directory.note(
        .create, target: Target(holding: path).path, vault: vaultID, archive: written.digest,
        sequence: written.facts.sequence)
    }
    let sealed = try StoredArchive(at: outcome.paths.first ?? subject.path)
    report(outcome, sealed, passphraseFile: stored, console)
    try more()
    guard outcome.isComplete, handover == nil || stored != nil else { throw ExitStatus.partial }
  }

  /// Returns the targets of the new archive: the old archive's, those given, and the configured ones.
  private func destinations(of subject: Subject, _ configuration: Configuration) -> [Target] {
    let given = targets.targets(configuration)
    // Another vault's archive, given by its path, has no place among this vault's.
    let isOfAnother = configuration.meantVaultID.map { $0 != subject.open.facts.vaultID } ?? false
    let known = given + (isOfAnother ? [] : configuration.chosenTargets)
    let holder = Target(holding: subject.path)
    let all = [known.first { $0.place == holder.place } ?? holder] + (isOfAnother ? [] : known)
    var places: Set<ExactText> = []
    return all.filter { places.insert($0.place).inserted }
  }

  private func report(
    _ outcome: PublishedArchive, _ sealed: StoredArchive, passphraseFile stored: String?, _ console: Console
  ) {
    ParityLines.warn(outcome.parityFailures, console)
    if output.json {
      Document.write([
        "schema": "fueki.key/1",
        "archive": outcome.paths.first ?? "",
        "id": outcome.archive.digest.hex,
        "sequence": outcome.archive.facts.sequence,
        "targets": outcome.paths,
        "failedTargets": outcome.failures.map(\.path.text),
        // The file that has the new passphrase now.
        "passphraseFile": stored,
        "slots": sealed.slots.documents(),
        "longTerm": LongTerm(sealed.slots).document,
      ])
    } else {
      print(outcome, sealed, console)
    }
    for failure in outcome.failures {
      console.warning(
        "\(failure.path) does not have the new archive: \(Failure(describing: failure.error).message)")
    }
    if !outcome.failures.isEmpty {
      console.note(
        "Until the next \"fueki-backup create\" reaches it, the newest archive there opens with the old keys."
      )
    }
    if let stored {
      console.note("\(stored) now has the new passphrase, which create and the timer take from it.")
    }
  }

  private func print(_ outcome: PublishedArchive, _ sealed: StoredArchive, _ console: Console) {
    let written = outcome.archive
    for path in outcome.paths { console.report(path) }
    console.report(
      "archive \(written.digest.shortID), number \(written.facts.sequence) of its vault, read back and verified"
    )
    ParityLines.print(outcome.parity, console)
    for slot in sealed.slots { console.report("slot \(slot.number)  \(slot.sentence)") }
    console.report(
      "every copy of the older archives keeps its old keys: who had one can still open those copies;")
    console.report("remove them where you can, and move what they protect if a key was stolen")
  }
}

/// The old slots in a re-encrypted archive: those that a secret opens, and those that `--keep` and `--drop` decide about.
extension KeyChangeOptions {
  /// Returns the old slots, except for removed ones, ready to be sealed again.
  ///
  /// - Throws: a ``Failure`` if the fate of a closed slot is undecided.
  func kept(_ subject: Subject, without gone: Set<Int> = []) throws -> [NewSlot] {
    let promised = try keptByName(subject)
    let known = Set(subject.slots.map(\.number))
    for number in drop where !known.contains(number) {
      throw CommandError.usage("there is no slot \(number) to drop")
    }
    var kept: [NewSlot] = []
    var closed: [Int] = []
    for slot in subject.slots where !gone.contains(slot.number) && !drop.contains(slot.number) {
      guard let same = subject.open.newSlot(like: slot.number) ?? promised[slot.number] else {
        closed.append(slot.number)
        continue
      }
      kept.append(same)
    }
    guard closed.isEmpty else {
      throw Failure(
        .wrongSecret,
        "no secret that you gave opens slot \(closed.map { "\($0)" }.joined(separator: ", ")), so it cannot be kept",
        meaning: "its holder could not open the next archive. Nothing was written",
        hint:
          "add its secret, or keep it with --keep N=age1… (or the guardians' file), or remove it with --drop N"
      )
    }
    return kept
  }

  private func keptByName(_ subject: Subject) throws -> [Int: NewSlot] {
    var kept: [Int: NewSlot] = [:]
    for text in keep {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let number = Int(parts[0]),
        let slot = subject.slots.first(where: { $0.number == number })
      else {
        throw CommandError.usage("--keep takes N=age1… or N=FILE, with N the slot's number, not \(text)")
      }
      kept[number] = try Self.slot(like: slot, for: parts[1])
    }
    return kept
  }

  private static func slot(like slot: SlotSummary, for value: String) throws -> NewSlot {
    if slot.type.isNamedByKey {
      let recipient = try NamedRecipient(value).recipient
      guard recipient.type == slot.type else {
        throw CommandError.usage(
          "\(value) is not the recipient of slot \(slot.number), which is of type \(slot.type.name)")
      }
      return NewSlot(recipient, opening: slot.mask)
    }
    if slot.type.isNamedByGuardians {
      let guardians = try GuardianFile.read(value)
      guard guardians.type == slot.type, guardians.shareTags == slot.guardians?.shareTags else {
        throw CommandError.usage("\(value) is not the file of slot \(slot.number)'s guardians")
      }
      return .guardians(guardians, opening: slot.mask)
    }
    throw CommandError.usage(
      "slot \(slot.number) is of type \(slot.type.name): only its own secret can keep it, or --drop it")
  }
}
