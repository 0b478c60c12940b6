internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// How a vault's next archive comes into its targets, whatever is in it: place, write, read back, announce,
/// publish, confirm.
struct Publication {
  let targets: [Target]
  let vaultID: VaultID
  let label: String
  let signing: ArchiveSigning
  let created: UInt64
  /// The trusted signers.
  let trust: Trust
  /// The contents to compare with the vault's last archive, and to remember.
  var contents = ContentsMemory()
  /// The amount of the archive that its recovery files can repair; nil for no recovery files.
  var parity: ParityAmount?
  /// Whether the archive may hold only the differences from an earlier one.
  ///
  /// Nil if it holds everything and no later archive builds on it.
  var history: HistoryChoice?
  /// Whether earlier archives with private keys may be copied to targets that others can see.
  var privateKeysMayLeave = false
  /// The number of the archive that is re-encrypted.
  ///
  /// The new one goes only to targets permitted for this one.
  ///
  /// Nil for collected contents.
  var resealed: UInt64?
  /// The guardians that open the next archives, too, as a line; nil for none.
  var guardians: String?
  /// The archive's slots, if they determine whether it can have a base.
  var slots: [NewSlot] = []

  /// The published archive and its places.
  struct Published<Contents> {
    let archive: WrittenArchive
    let contents: Contents
    let paths: [String]
    let failures: [TargetFailure]
    /// The archive's recovery files, next to it.
    let parity: [ParityFile]
    /// Where they could not be put; without a path where they could not be made.
    let parityFailures: [TargetFailure]
    let warnings: [TargetWarning]
    /// The names of files in the targets that call themselves archives of this vault, and are a stranger's.
    let strangers: [String]
    /// The reason that it is a full archive instead of a differential one.
    let fullReason: FullReason?
    /// For each slot of its base, whether it withstands quantum computers; nil without a base.
    let baseSlotsForTheLongTerm: [Bool]?
    /// The reason that it cannot be a base, although it was meant to be one.
    let tableError: (any Error)?
    /// The things of worth in it, and those that only earlier archives have.
    let inventory: Inventory?
    /// Earlier archives that targets got, which had been without them.
    let copies: CopyReport
  }

  /// Runs the steps in their order.
  ///
  /// No file in a target has an archive's name until the last step. An archive is published only after every byte has
  /// been read back and the intent to publish it is durable. A target that fails does not stop the others: if the first
  /// is not writable, the next one takes its role. Folders have their archive before the first byte goes to a remote,
  /// however long that takes.
  ///
  /// - Parameters:
  ///   - recognizing: accepts archives in the targets that another machine made, before their owner is judged.
  ///   - state: this machine's state.
  ///   - progress: receives each step. An error that it throws ends the run and leaves no files.
  ///   - place: finds the place in the vault's chain, from the state and the archives in the targets.
  ///   - remembering: returns the facts of the contents to remember; nil if nothing was collected.
  ///   - beginningAgain: whether to gather the contents again after an error of writing them.
  ///   - contents: gathers the contents, once the place is clear, and again for each target that fails.
  ///   - write: writes them, and the part of the history that the pass selects.
  /// - Returns: the archive and where it is, and the targets that failed.
  /// - Throws: ``LineageError``, ``PublishError``, also if a requested differential archive cannot be made,
  ///   ``RecordsError``, errors from the closures, and the first target's error if all of them fail.
  func run<Contents>(
    recognizing: (_ found: [TargetEntry]) throws -> Void = { _ in },
    state: LockedState, progress: (BackupProgress) throws -> Void,
    place: (VaultState, [StoredArchive], Ownerships) throws -> VaultLineage.Position,
    remembering: (Contents) -> CollectedFacts? = { _ in nil },
    beginningAgain: (any Error) -> Bool = { _ in false }, contents: () throws -> Contents,
    write: (Contents, ArchiveFile, ArchiveDraft, inout HistoryPass?) throws -> WrittenArchive
  ) throws -> Published<Contents> {
    let machine = try state.machineID()
    var looked = try TargetSurvey(
      of: targets, for: vaultID, state, checksMounts: !self.contents.acceptance.coversNewDisk)
    try recognizing(looked.entries)
    let known = try state.directory.vault(vaultID)
    // As it is under the lock: what another run has made meanwhile is this machine's, too.
    var trust = trust
    trust.remember(known, of: vaultID)
    let ownerships = try Ownerships(of: looked.archives, trust: trust)
    try looked.refuseUnknown(of: vaultID, known, ownerships)
    var (live, failures) = (looked.live, looked.failures)
    let found = looked.archives
    try state.note(looked.found, ownerships, of: vaultID)
    var catchUp = CatchUp(
      vaultID: vaultID, found: looked.foundInLive, trust: trust, state: state, machine: machine, label: label,
      parity: parity)
    catchUp.privateKeysMayLeave = privateKeysMayLeave
    let position = try place(known, found, ownerships)
    let closed = live.filter { !mayTake($0, known) }
    failures += closed.map {
      TargetFailure(path: $0.path, error: TargetError.holdsPrivateKeys(path: $0.path))
    }
    live.removeAll { target in closed.contains { $0.path == target.path } }
    guard !live.isEmpty else { throw failures[0].error }
    let isFirst = known.isEmpty && !found.contains { $0.facts.vaultID == vaultID }
    let signer = try signing.key(
      isFirst: isFirst, isContinuing: known.counts == nil, signers: trust.of(vaultID).signers)
    let room = roomNeeded(found.filter { ownerships[$0] != .stranger })
    var basis = try basis(position, &catchUp, state, progress)
    while true {
      let contents = try contents()
      var pass = basis?.pass
      let temporary: TemporaryArchive
      let written: WrittenArchive
      let facts: CollectedFacts?
      let inventory: Inventory?
      let intact: IntactArchive
      do {
        let workshop = try live[0].storage.workshop(state, machine: machine)
        try workshop.checkRoom(for: room)
        temporary = try TemporaryArchive(in: workshop, machine: machine)
        let draft = ArchiveDraft(
          vaultID: vaultID, sequence: position.sequence, previous: position.previous, created: created,
          signer: signer, base: pass?.base?.base)
        written = try write(contents, temporary.file, draft, &pass)
        facts = remembering(contents)
        inventory = try self.contents.inventory(
          written, facts?.holdings, after: state.directory.vault(vaultID))
        try pass?.base?.checkLength(of: written)
        intact = try temporary.readBack(written.digest) {
          try progress(.readingBack(bytes: $0, of: written.byteCount))
        }
        try pass?.compare(written, in: intact)
      } catch let error as FullNeeded {
        basis = try full(error.reason)
        continue
      } catch  where beginningAgain(error) {
        continue
      } catch  where (error is SystemError || error is TargetError) && live.count > 1 {
        failures.append(TargetFailure(path: live.removeFirst().path, error: error))
        continue
      }
      let name = ArchiveName.make(label: label, facts: intact.facts, digest: intact.digest)
      let parity = try makeParity(of: temporary, name, state, progress)
      try announce(written, intact.source, state)
      var putting = Distribution(
        made: temporary, intact: intact, machine: machine, name: name, parity: try? parity?.get())
      try putting.putIntoFolders(live, progress)
      // A run that ends while a remote is slow has already recorded the folders' archives.
      let isInFolders = !putting.paths.isEmpty
      if isInFolders { try confirm(written, facts, inventory, state) }
      try putting.putOnRemotes(live, progress)
      guard !putting.paths.isEmpty else { throw (failures + putting.failures)[0].error }
      if !isInFolders { try confirm(written, facts, inventory, state) }
      try catchUp.bringOnlyOnes(of: inventory, besides: failures + putting.failures, progress)
      let meant = targets.filter { target in !closed.contains { $0.path == target.path } }
      try state.note(written, in: putting.paths, to: meant)
      let tableError = keepTable(pass, of: written, in: putting.paths, state)
      return Published(
        archive: written, contents: contents, paths: putting.paths,
        failures: failures + putting.failures, parity: putting.deliveredParity,
        parityFailures: (parity?.failure.map { [$0] } ?? []) + putting.parityFailures,
        warnings: putting.warnings,
        strangers: looked.strangers(of: vaultID, ownerships), fullReason: basis?.reason,
        baseSlotsForTheLongTerm: written.facts.base.map { Self.slotsForTheLongTerm(of: $0, known, found) },
        tableError: tableError, inventory: inventory, copies: catchUp.report)
    }
  }

  /// Whether a target may take the contents: private keys in them stay in the targets that they were made for.
  private func mayTake(_ target: Target, _ known: VaultState) -> Bool {
    guard let resealed, target.isSeenByOthers, let places = known.places else { return true }
    return places.mayLeave(resealed, to: target.place)
  }

  /// Returns the least room for the next archive: half the size of the vault's last one, for a wallet may have shrunk.
  private func roomNeeded(_ found: [StoredArchive]) -> UInt64 {
    let own = found.filter { $0.facts.vaultID == vaultID }
    return own.max { $0.facts.sequence < $1.facts.sequence }.map { $0.byteCount / 2 } ?? 0
  }

  /// Recovery files are worth less than the archive, which is published without them where they cannot be made.
  private func makeParity(
    of temporary: TemporaryArchive, _ name: String, _ state: LockedState,
    _ progress: (BackupProgress) throws -> Void
  ) throws -> Result<MadeParity, any Error>? {
    guard let amount = parity, amount.percent > 0 else { return nil }
    do {
      let made = try MadeParity(amount, of: temporary.path, name: name, state: state) {
        try progress(.makingParity(percent: $0))
      }
      return .success(made)
    } catch {
      guard !(error is Interrupted), !Interruption.wasRequested else { throw Interrupted() }
      return .failure(error)
    }
  }

  // MARK: the chain

  private func announce(
    _ written: WrittenArchive, _ archive: StoredArchive, _ state: LockedState
  ) throws {
    var vault = try state.directory.vault(vaultID)
    vault.intent = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    vault.remember(sealsOf: archive)
    try state.keep(vault, of: vaultID)
  }

  private func confirm(
    _ written: WrittenArchive, _ facts: CollectedFacts?, _ inventory: Inventory?, _ state: LockedState
  ) throws {
    let link = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    let before = try state.directory.vault(vaultID)
    var vault = before
    vault.advance(to: link, signer: written.facts.signer)
    contents.remember(written, in: &vault, before: before)
    vault.inventory = inventory
    vault.guardians = guardians
    vault.emptied = nil
    if let base = written.facts.base, vault.base?.digest == base.digest.hex {
      vault.base?.opensAlike = link.digest
    }
    vault.missing = facts?.missing ?? before.missing
    if let facts {
      vault.declinedKeys = facts.declinedKeys
      vault.remember(facts.findings)
      vault.placedFiles = facts.placedFiles
    }
    try state.keep(vault, of: vaultID)
  }
}

/// The facts that this machine remembers of the collected contents, besides their counts.
struct CollectedFacts {
  /// The things that the sources held and the archive lacks.
  let missing: [String]
  /// The unencrypted keys that stay out by a decision.
  let declinedKeys: [DeclinedKeys]
  /// The findings on the backup of each wallet.
  let findings: [WalletFinding]
  /// How many files of other programs the archive has that can go back below a home.
  let placedFiles: UInt64
  /// The things of worth in the archive.
  let holdings: CountedHoldings
}

extension Result<MadeParity, any Error> {
  fileprivate var failure: TargetFailure? {
    if case .failure(let error) = self { TargetFailure(path: "", error: error) } else { nil }
  }
}

/// A target that an archive could not be put in.
public struct TargetFailure: Sendable {
  /// The target's path.
  public let path: String
  /// Why.
  public let error: any Error

  /// Does the work on one target, whose failure does not stop the others.
  ///
  /// - Returns: nil if the work was done.
  /// - Throws: `Interrupted` if the person ended the run.
  static func of(_ target: Target, _ work: () throws -> Void) throws -> TargetFailure? {
    do {
      try work()
      return nil
    } catch  where Interrupted.isCause(of: error) {
      throw Interrupted()
    } catch {
      return TargetFailure(path: target.path, error: error)
    }
  }
}
