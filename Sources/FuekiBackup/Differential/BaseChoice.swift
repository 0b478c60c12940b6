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
