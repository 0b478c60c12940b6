package import FuekiArchive
internal import FuekiSystem

/// The way of a vault's next archive into its targets: it gets a place, is written, and is distributed.
package struct Publication {
  /// The first that can be written to gets the archive, and the others get copies.
  let targets: [Target]
  let vaultID: VaultID
  let label: String
  /// The archive's slots.
  let slots: [NewSlot]
  let signing: ArchiveSigning
  let created: UInt64
  /// This machine's state, locked until the run ends.
  let state: LockedState
  /// The trusted signers.
  package var trust = Trust()
  var options = PublicationOptions()
  /// The contents to compare with the vault's last archive, and to remember.
  var memory = ContentsMemory()
  /// Which files of the sources changed: the contents are gathered again after such a change.
  var changes = SourceChanges()
  /// The archive that is re-encrypted; nil for collected contents.
  ///
  /// The new one goes only to targets permitted for this one.
  var reencrypted: OpenArchive?

  /// - Parameters:
  ///   - targets: at least one.
  ///   - vaultID: the vault of the archive.
  ///   - label: the archive's label, the first part of its name.
  ///   - slots: open the archive; 1…32, at most 4 of them passphrases.
  ///   - signing: the signer.
  ///   - created: seconds since 1970.
  ///   - state: this machine's state. The lock is held until the run ends.
  package init(
    to targets: [Target], of vaultID: VaultID, label: String, slots: [NewSlot],
    signing: ArchiveSigning = .nobody, created: UInt64, state: LockedState
  ) {
    self.targets = targets
    self.vaultID = vaultID
    self.label = label
    self.slots = slots
    self.signing = signing
    self.created = created
    self.state = state
  }

  /// Runs the steps in their order: ``findPlace(recognizing:_:)``, ``write(at:_:gathering:)``, ``distribute(_:_:)``.
  ///
  /// No file in a target has an archive's name until the last step. An archive is published only after every byte has
  /// been read back and the intent to publish it is durable. A target that fails does not stop the others: if the first
  /// is not writable, the next one takes its role. Folders have their archive before the first byte goes to a remote,
  /// however long that takes.
  ///
  /// - Parameters:
  ///   - recognizing: accepts archives in the targets that another machine made, before their owner is judged.
  ///   - progress: receives each step. An error that it throws ends the run and leaves no files.
  ///   - gather: gathers the contents, once the place is clear, and again for each target that fails.
  /// - Returns: the archive and where it is, the targets that failed, and the contents.
  /// - Throws: ``LineageError``, ``PublishError``, also if a requested differential archive cannot be made,
  ///   ``RecordsError``, errors from the closures, and the first target's error if all of them fail.
  func run<Contents: PublicationContents>(
    recognizing: (_ found: [TargetEntry]) throws -> Void = { _ in },
    progress: (BackupProgress) throws -> Void, gathering gather: () throws -> Contents
  ) throws -> (archive: PublishedArchive, contents: Contents) {
    let place = try findPlace(recognizing: recognizing, progress)
    let verified = try write(at: place, progress, gathering: gather)
    return (try distribute(verified, progress), verified.contents)
  }
}

/// The options of a run that publishes an archive, whether from the command line, the configuration or an app.
public struct PublicationOptions: Equatable, Sendable {
  /// The amount of each archive that its recovery files can repair; nil for no recovery files.
  public var parity: ParityAmount?
  /// Whether the archive may hold only the differences from an earlier one.
  ///
  /// Nil if it holds everything and no later archive builds on it.
  public var history: HistoryChoice?
  /// Whether earlier archives with private keys may be copied to targets that others can see.
  public var privateKeysMayLeave = false
  /// Whether the user's newest archive in the targets counts if the vault's lineage forks.
  public var isAdopting = false
  /// Whether the archive's guardians open the next archives, too, because no configuration lists them.
  public var guardiansStay = false

  /// Creates the options of an archive that holds everything and has no recovery files.
  public init() {}
}

/// The contents of an archive to publish: collected records, or those of an archive to re-encrypt.
protocol PublicationContents {
  /// The facts to remember, complete once the contents are written; nil if nothing was collected.
  var facts: CollectedFacts? { get }

  /// Writes the contents, and the part of the history that the pass selects.
  ///
  /// - Returns: the archive, and its inventory; nil if nothing is known of its things.
  /// - Throws: ``PublishError/emptied(_:)`` if nothing is left of a part of the last archive, and what writing throws.
  func write(
    to file: ArchiveFile, draft: ArchiveDraft, passing pass: inout HistoryPass?,
    progress: (BackupProgress) throws -> Void
  ) throws -> (archive: WrittenArchive, inventory: Inventory?)
}

extension Publication {
  /// The place of the next archive: its position in the vault's history, and the targets that can have it.
  struct Place {
    let machine: String
    let position: VaultLineage.Position
    let signer: SigningKey?
    /// The base that the archive can be made from; nil if no differential archive is requested.
    var basis: Basis?
    /// The least room that the archive needs.
    let room: UInt64
    /// The targets that answer and may have the archive, folders first.
    var live: [Target]
    /// The targets that may have the archive.
    let permitted: [Target]
    var failures: [TargetFailure]
    /// Copies earlier archives to the targets that lack them.
    var catchUp: CatchUp
    /// The paths of a stranger's files that call themselves archives of this vault.
    let strangers: [String]
    /// This machine's knowledge of the vault before this archive.
    let known: VaultState
    /// The archives in the targets.
    let found: [StoredArchive]
  }

  /// Finds the archive's place, from the state and the archives in the targets.
  ///
  /// - Throws: ``LineageError``; ``PublishError/notDifferential(_:)``; the first target's error if none can have the
  ///   archive; errors from the closures.
  func findPlace(
    recognizing: (_ found: [TargetEntry]) throws -> Void, _ progress: (BackupProgress) throws -> Void
  ) throws -> Place {
    let machine = try state.machineID()
    var survey = try TargetSurvey(
      of: targets, for: vaultID, state, checksMounts: !memory.acceptance.coversNewDisk)
    try recognizing(survey.entries)
    let known = try state.directory.vault(vaultID)
    // As it is under the lock: what another run has made meanwhile is this machine's, too.
    var trust = trust
    trust.remember(known, of: vaultID)
    let found = survey.archives
    let ownerships = try Ownerships(of: found, trust: trust)
    try survey.refuseUnknown(of: vaultID, known, ownerships)
    try state.note(survey.found, ownerships, of: vaultID)
    var catchUp = CatchUp(
      vaultID: vaultID, found: survey.foundInLive, trust: trust, state: state, machine: machine,
      label: label, options: options)
    let position = try position(known, found, ownerships)
    let closed = survey.live.filter { !mayTake($0, known) }
    let isClosed = { (target: Target) in closed.contains(target) }
    let failures =
      survey.failures
      + closed.map { TargetFailure($0, TargetError.holdsPrivateKeys(path: $0.path)) }
    let live = survey.live.filter { !isClosed($0) }
    guard !live.isEmpty else { throw failures[0].error }
    let isFirst = known.isEmpty && !found.contains { $0.facts.vaultID == vaultID }
    let signer = try signing.key(
      isFirst: isFirst, isContinuing: known.counts == nil, trust.of(vaultID))
    let basis = try basis(position, &catchUp, progress)
    return Place(
      machine: machine, position: position, signer: signer, basis: basis,
      room: roomNeeded(found.filter { ownerships[$0] != .stranger }), live: live,
      permitted: targets.filter { !isClosed($0) }, failures: failures, catchUp: catchUp,
      strangers: survey.strangers(of: vaultID, ownerships), known: known, found: found)
  }

  private func position(
    _ known: VaultState, _ found: [StoredArchive], _ ownerships: Ownerships
  ) throws -> VaultLineage.Position {
    if let reencrypted {
      return try VaultLineage.next(reencrypting: reencrypted, known, found, ownerships)
    }
    return try VaultLineage.next(
      of: vaultID, state: known, found: found, ownerships: ownerships, adopting: options.isAdopting)
  }

  /// Whether a target may take the contents: private keys in them stay in the targets that they were made for.
  private func mayTake(_ target: Target, _ known: VaultState) -> Bool {
    guard let reencrypted, target.isSeenByOthers, let places = known.places else { return true }
    return places.mayLeave(reencrypted.facts.sequence, to: target.place)
  }

  /// Returns the least room for the next archive: half the size of the vault's last one, for a wallet may have shrunk.
  private func roomNeeded(_ found: [StoredArchive]) -> UInt64 {
    let own = found.filter { $0.facts.vaultID == vaultID }
    return own.max { $0.facts.sequence < $1.facts.sequence }.map { $0.byteCount / 2 } ?? 0
  }

  /// An archive that has no name yet, every byte of which was read back.
  struct Verified<Contents> {
    let contents: Contents
    let written: WrittenArchive
    let intact: IntactArchive
    /// The archive's file, which is removed with this value unless it is published.
    let temporary: TemporaryArchive
    /// The facts of the contents to remember; nil if nothing was collected.
    let facts: CollectedFacts?
    /// The things of worth in it, and those that only earlier archives have.
    let inventory: Inventory?
    /// The part of the history in the archive; nil if it holds everything and no later archive builds on it.
    let pass: HistoryPass?
    /// The archive's place, without the targets that failed meanwhile.
    var place: Place
  }

  /// Gathers the contents, writes them to the first target, and reads them back.
  ///
  /// If a target fails, the next one takes its role. Without a suitable base the archive becomes a full one.
  ///
  /// - Throws: ``PublishError``; ``TargetError/readBackDiffers(path:)``; errors from the closures; the last target's
  ///   error if all of them fail.
  func write<Contents: PublicationContents>(
    at place: Place, _ progress: (BackupProgress) throws -> Void, gathering gather: () throws -> Contents
  ) throws -> Verified<Contents> {
    var place = place
    while true {
      let contents = try gather()
      do {
        return try write(contents, at: place, progress)
      } catch let error as FullNeeded {
        place.basis = try full(error.reason)
      } catch  where changes.beginsAgain(after: error) {
        continue
      } catch  where (error is SystemError || error is TargetError) && place.live.count > 1 {
        place.failures.append(TargetFailure(place.live.removeFirst(), error))
      }
    }
  }

  private func write<Contents: PublicationContents>(
    _ contents: Contents, at place: Place, _ progress: (BackupProgress) throws -> Void
  ) throws -> Verified<Contents> {
    let workshop = try place.live[0].storage.workshop(state, machine: place.machine)
    try workshop.checkRoom(for: place.room)
    let temporary = try TemporaryArchive(in: workshop, machine: place.machine)
    var pass = place.basis?.pass
    let draft = ArchiveDraft(
      vaultID: vaultID, sequence: place.position.sequence, previous: place.position.previous,
      created: created, signer: place.signer, base: pass?.base?.base)
    let (written, inventory) = try contents.write(
      to: temporary.file, draft: draft, passing: &pass, progress: progress)
    try pass?.base?.checkLength(of: written)
    let intact = try temporary.readBack(written.digest) {
      try progress(.readingBack(bytes: $0, of: written.byteCount))
    }
    try pass?.compare(written, in: intact)
    return Verified(
      contents: contents, written: written, intact: intact, temporary: temporary, facts: contents.facts,
      inventory: inventory, pass: pass, place: place)
  }
}

/// An error that stops a backup after the collection.
public enum PublishError: Error, Equatable, Sendable {
  /// The archive would be empty.
  ///
  /// Has the exclusions, with their reasons.
  case nothingToBackUp(leftOut: [String])
  /// Nothing is left of parts of the vault's last archive, as on a machine that was emptied.
  case emptied([EmptiedPart])
  /// The requested differential archive cannot be made.
  case notDifferential(FullReason)
}
