internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// What every change of an archive's keys needs: the archive, what opens it, and what becomes of slots that stay closed.
struct KeyChangeOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive"), completion: .file())
  var archive: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @Option(
    help: ArgumentHelp(
      "Keep slot N, which stays closed here: give its recipient or its guardians' public file.",
      valueName: "n=age1…|file"))
  var keep: [String] = []
  @Option(help: ArgumentHelp("Remove slot N, which stays closed here.", valueName: "n"))
  var drop: [Int] = []
  @OptionGroup var trust: TrustOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var output: OutputOptions

  /// The archive, opened whole, and where it lies.
  struct Subject {
    let open: OpenArchive
    let slots: [SlotSummary]
    let path: String
    /// What was accepted of a vault that this machine knew nothing of.
    let accepted: VaultState?
  }

  /// The configuration's vault, for what a new passphrase costs.
  func vault() throws -> VaultSettings { try settings.load().vault() }

  /// Opens the archive and makes sure that nothing of it would be lost.
  func subject(_ console: Console) throws -> Subject {
    let configuration = try settings.load()
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    let stored = found.stored
    // What was sealed to a public key opens, whoever made it: sealed anew it would be signed as this person's.
    if found.ownership == .stranger { try found.checkMine() }
    try found.checkNewest()
    let unlocking = try secrets.unlocking(stored, configuration.slotNames(of: stored), console)
    let open = try stored.opened(
      with: unlocking, names: configuration.slotNames(of: stored), bases: found.bases,
      trusting: found.trusted)
    try KeyChange.checkWhole(open)
    var accepted: VaultState?
    if found.ownership == .unknown {
      accepted = try SignerAcceptance(secrets: unlocking).accept(
        open, siblings: found.siblings)
      if accepted == nil { try found.checkMine() }
    }
    return Subject(open: open, slots: stored.slots, path: found.path, accepted: accepted)
  }

  /// The old slots, but for those that go, ready to be sealed anew.
  ///
  /// - Throws: ``CommandError/closedSlots(_:)`` where the fate of a slot that stays closed was not said.
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
    guard closed.isEmpty else { throw CommandError.closedSlots(closed) }
    return kept
  }

  /// Seals the archive anew with these slots, and says what it came to.
  ///
  /// - Parameters:
  ///   - subject: the archive.
  ///   - slots: what opens the new one.
  ///   - console: where that is said.
  ///   - more: what else there is to say once the new archive is there.
  /// - Throws: ``ExitStatus/partial`` where it has none of the recovery files that it was to have.
  func seal(
    _ subject: Subject, opening slots: [NewSlot], _ console: Console, then more: () throws -> Void = {}
  ) throws {
    let vault = try vault()
    try vault.checkParity()
    let key = try signing.key(vault, of: subject.open.facts.vaultID, console)
    guard key != nil || subject.open.facts.signer == nil else {
      throw CommandError.usage("this archive is signed, so the next must be signed too: give --sign-key")
    }
    var change = KeyChange(
      target: Target(holding: subject.path), slots: slots, signing: key.map { .key($0) } ?? .nobody,
      created: UInt64(max(0, SystemClock.now) / 1_000_000))
    change.parity = vault.parity
    let state = try lock.take("key", output)
    if let accepted = subject.accepted { try state.accept(accepted, of: subject.open.facts.vaultID) }
    change.trust = try trust.trust(try settings.load())
    let progress = try output.progressLine
    let outcome = try change.run(subject.open, state: state) { try progress.show($0.text, $0.amount) }
    progress.clear()
    let written = outcome.archive
    let path = outcome.path
    // It is this machine's newest there, which "status" misses where it goes.
    try? state.directory.note(
      .create, target: Target(holding: path).path, vault: written.facts.vaultID, archive: written.digest,
      sequence: written.facts.sequence)
    let sealed = try StoredArchive(at: path)
    ParityLines.warn(outcome.parityFailures, console)
    if output.json {
      Document.write(
        KeyDocument(
          path: path, id: written.digest.hex, sequence: written.facts.sequence, slots: sealed.slots))
    } else {
      report(outcome, sealed, console)
    }
    try more()
    guard outcome.parityFailures.isEmpty else { throw ExitStatus.partial }
  }

  private func report(_ outcome: KeyChange.Outcome, _ sealed: StoredArchive, _ console: Console) {
    let written = outcome.archive
    console.report(outcome.path)
    console.report(
      "archive \(written.digest.shortID), number \(written.facts.sequence) of its vault, read back and verified"
    )
    ParityLines.print(outcome.parity, console)
    for slot in sealed.slots { console.report("slot \(slot.number)  \(slot.sentence)") }
    console.report(
      "every copy of the older archives keeps its old keys: who had one can still open those copies;")
    console.report("remove them where you can, and move what they protect if a key was stolen")
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

/// Where a new passphrase comes from.
struct NewPassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A file with the new passphrase, which only you can read.", valueName: "file"),
    completion: .file())
  var newPassphraseFile: String?
  @Option(help: ArgumentHelp("A command that prints the new passphrase.", valueName: "command"))
  var newPassphraseCommand: String?
  @Option(help: ArgumentHelp("A file descriptor to read the new passphrase from.", valueName: "n"))
  var newPassphraseFd: Int32?
  @Option(
    help: ArgumentHelp("A key file to use together with the new passphrase.", valueName: "file"),
    completion: .file())
  var newKeyFile: String?
  @Flag(help: "Accept a weak passphrase.")
  var allowWeakPassphrase = false
  @OptionGroup var cost: CostOptions

  private var source: SecretSource {
    SecretSource(
      file: newPassphraseFile, command: newPassphraseCommand, descriptor: newPassphraseFd, name: .new,
      secret: .newArchive)
  }

  /// The slot of a passphrase that was given, or where it `isNeeded` is asked for.
  func slot(
    _ console: Console, _ vault: VaultSettings, of archive: OpenArchive, isNeeded: Bool,
    opening mask: ScopeMask = .all
  ) throws -> NewSlot? {
    let keyFile = try newKeyFile.map { try SecretSource.keyFile($0) }
    let rule = PassphraseRule(
      cost.cost(vault), allowsWeak: allowWeakPassphrase,
      names: KnownNames.of(vault) + archive.knownNames())
    let passphrase =
      isNeeded || keyFile != nil ? try source.readNew(console, rule) : try source.givenNew(console, rule)
    guard let passphrase else { return nil }
    return .derivingEarly(passphrase, andKeyFile: keyFile, cost: cost.cost(vault), opening: mask)
  }
}
