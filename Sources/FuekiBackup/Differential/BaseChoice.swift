internal import FuekiArchive
internal import FuekiCrypto

/// Finds out whether a vault's next archive can hold only what differs from its last full one.
struct BaseChoice {
  let choice: HistoryChoice
  let vaultID: VaultID
  /// Where the next archive comes in the vault's chain.
  let position: VaultLineage.Position
  /// Now, in seconds since 1970.
  let created: UInt64
  /// The slots of the next archive.
  let slots: [NewSlot]
  /// Knows the seals of the vault's archives.
  let witness: SealWitness

  /// The table of the base.
  ///
  /// Every target that gets the archive has the base, whole: one lost base would be the loss of many nights. A target
  /// that was away when the base was made gets a copy first.
  ///
  /// - Throws: ``FullNeeded`` where there is none that will do; what reading throws, and what `progress` throws.
  func table(
    _ state: LockedState, _ catchUp: inout CatchUp, progress: (BackupProgress) throws -> Void
  ) throws -> BaseTable {
    guard choice != .full else { throw FullNeeded(reason: .asked) }
    let table = try state.directory.baseTable(of: vaultID)
    if case .whenDue(let every) = choice,
      every.before(Int64(clamping: created)) >= Int64(clamping: table.created)
    {
      throw FullNeeded(reason: .due)
    }
    guard table.base.canBeBase(ofSequence: position.sequence, previous: position.previous) else {
      throw FullNeeded(reason: .otherLineage)
    }
    guard table.slots == SlotNote(slots) else { throw FullNeeded(reason: .otherSecrets) }
    try catchUp.bringEverywhere(table.base.digest, progress)
    let files = try catchUp.found.map { target, entries in
      (target, try Self.files(of: table.base, in: target, entries))
    }
    try checkPassphrases(files.flatMap(\.1), table.base, try state.directory.vault(vaultID).base)
    try checkWhole(table.base, files, state, progress)
    return table
  }

  private static func files(
    of base: BaseReference, in target: Target, _ entries: [TargetEntry]
  ) throws(FullNeeded) -> [TargetEntry] {
    let files = entries.filter { $0.archive?.statedDigest == base.digest }
    guard !files.isEmpty else { throw FullNeeded(reason: .baseMissing(target: target.path)) }
    return files
  }

  /// A restore uses one passphrase for both files.
  ///
  /// A derivation takes seconds. Skip a passphrase that has already opened the base, or the last archive that was made
  /// from it and opens alike.
  private func checkPassphrases(
    _ files: [TargetEntry], _ base: BaseReference, _ known: VaultState.Base?
  ) throws {
    let alike = known?.digest == base.digest.hex ? known?.opensAlike.flatMap(Digest.init(hex:)) : nil
    for recipient in slots.map(\.recipient) {
      if let opened = recipient.openedArchive, opened == base.digest || opened == alike { continue }
      guard let opener = recipient.opener else { continue }
      guard let base = files.first?.archive, try base.opens(with: opener) else {
        throw FullNeeded(reason: .otherSecrets)
      }
    }
  }

  /// Reads the base unless it was read within a week.
  private func checkWhole(
    _ base: BaseReference, _ files: [(Target, [TargetEntry])], _ state: LockedState,
    _ progress: (BackupProgress) throws -> Void
  ) throws {
    let check = BaseCheck(vaultID: vaultID, now: Int64(clamping: created))
    for (target, files) in files {
      let vouched = files.compactMap { VouchedFile($0, witness) }
      guard !vouched.isEmpty else { throw FullNeeded(reason: .baseUnproven(target: target.path)) }
      let isWhole = try check.isWhole(base.digest, vouched, in: target, state) { _ in
        try progress(.checkingBase(target: target.path))
      }
      guard isWhole else { throw FullNeeded(reason: .baseDamaged(target: target.path)) }
    }
  }
}

/// Whether an archive is to hold all of the history, or what differs from an earlier one.
public enum HistoryChoice: Hashable, Sendable {
  /// Everything, and the next ones may hold what differs from this one.
  case full
  /// Only the differences; fail if that is impossible.
  case differential
  /// The differences, or everything if the base is at least this old or is unsuitable.
  case whenDue(every: CalendarSpan)
}

/// Why an archive that could have held what differs from another holds everything.
public enum FullReason: Hashable, Sendable {
  /// The user requested a full archive.
  case asked
  /// There is no full archive that this machine has a table of.
  case noTable
  /// The table of the last full archive is damaged.
  case damagedTable
  /// The last full archive has no history.
  case noHistory
  /// The last full archive is as old as the configuration lets it become.
  case due
  /// A target has not the last full archive.
  case baseMissing(target: String)
  /// The last full archive is damaged in a target.
  case baseDamaged(target: String)
  /// Nothing proves the seals of the last full archive in a target, so that perhaps no key opens it.
  case baseUnproven(target: String)
  /// The last full archive opens with other secrets.
  case otherSecrets
  /// Something else is known of the archives between.
  case otherLineage
  /// The differences exceed a quarter of the last full archive.
  case tooLarge
  /// More records differ than a differential archive has room for.
  case tooManyChanges
  /// There are more records than this machine keeps a table of.
  case tooManyRecords
  /// A removed record's identity is too long to be kept.
  case longIdentity
  /// The written archive and the last full archive do not combine to the collected contents.
  case comesToOther
}

/// Whether a base is intact in a target, according to a check of the last week or by reading it now.
struct BaseCheck {
  let vaultID: VaultID
  /// In seconds since 1970.
  let now: Int64

  private static let secondsBelieved: Int64 = 7 * 86_400

  /// Returns whether one of a base's files is intact, and records an intact one.
  ///
  /// - Parameters:
  ///   - digest: the base's digest.
  ///   - files: the target's files of the base, with its original seals.
  ///   - target: the target that holds the files.
  ///   - state: this machine's state.
  ///   - progress: receives the file being read. An error that it throws ends the work.
  /// - Returns: false if no file is intact, or there are none.
  /// - Throws: the reason that a file cannot be read, and errors from `progress`.
  func isWhole(
    _ digest: Digest, _ files: [VouchedFile], in target: Target, _ state: LockedState,
    progress: (String) throws -> Void
  ) throws -> Bool {
    guard !files.isEmpty else { return false }
    var note = VaultState.Base(digest: digest.hex)
    let known = try state.directory.vault(vaultID).base
    if let known, known.digest == note.digest { note = known }
    let last = note.verified[target.place]
    if let last, (0..<Self.secondsBelieved).contains(now - last) { return true }
    guard try files.contains(where: { try $0.entry.verifies(progress) }) else { return false }
    note.verified[target.place] = now
    // Remember nothing of a base that later archives no longer build on.
    if known == nil || known?.digest == note.digest { try state.keep(note, of: vaultID) }
    return true
  }
}
