public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The newest archive if nothing has changed since, and its places.
public struct UnchangedArchive: Sendable {
  /// The archive.
  public let link: VaultState.Link
  /// The targets that have it.
  public internal(set) var targets: [Target] = []
  /// The targets that could not be inspected, and why.
  public internal(set) var failures: [TargetFailure] = []
  /// The things of worth in it, and those that only earlier archives have.
  public internal(set) var inventory: Inventory?
  /// The archives that targets got which had been without them.
  public internal(set) var copies = CopyReport()

  /// The vault that this machine may be meant to continue instead of its own; nil if its owner chose.
  public internal(set) var undecided: VaultID?
  /// Whether another machine made the archive that has what is missing.
  public internal(set) var isLossElsewhere = false

  /// The things that earlier archives have and this one has not, and whose loss was not accepted.
  public var losses: [Absence] { inventory?.losses ?? [] }

  init(link: VaultState.Link) { self.link = link }

  /// Records that today's backup exists: an unnecessary backup is not a missed one.
  func note(in state: StateDirectory, vault: VaultID) throws {
    let digest = Digest(hex: link.digest)
    for target in targets {
      try state.note(
        .create, target: target.path, vault: vault, archive: digest, sequence: link.sequence)
    }
  }
}

extension BackupRun {
  /// The newest archive, if it has the same contents and is whole in a target; targets that lack it get a copy.
  ///
  /// A target that does not answer gets no archive today, whether a new one is made or not. If something else claims to be
  /// the vault's newest, making an archive decides what becomes of it.
  func unchanged(
    _ content: String, of vaultID: VaultID, _ state: LockedState,
    recognizing: (_ found: [TargetEntry]) throws -> Void
  ) throws -> UnchangedArchive? {
    let vault = try state.directory.vault(vaultID)
    guard let known = vault.known, let digest = Digest(hex: known.digest), vault.content == content else {
      return nil
    }
    // An acceptance is signed into an archive's manifest.
    guard !acceptance.changes(vault.inventory) else { return nil }
    let survey: TargetSurvey
    do {
      survey = try TargetSurvey(of: targets, for: vaultID, state, checksMounts: !acceptance.coversNewDisk)
    } catch  where Interrupted.isCause(of: error) {
      throw Interrupted()
    } catch {
      return nil
    }
    try recognizing(survey.entries)
    let trust = try answers.trust()
    let ownerships = try Ownerships(of: survey.archives, trust: trust)
    let isNewest = survey.archives.filter { archive in
      archive.facts.vaultID == vaultID && ownerships[archive] != .stranger
        && archive.facts.sequence >= known.sequence
    }.allSatisfy { $0.statedDigest == digest }
    guard isNewest else { return nil }
    try state.note(survey.found, ownerships, of: vaultID)
    var catchUp = CatchUp(
      vaultID: vaultID, found: survey.found, trust: trust, state: state, machine: try state.machineID(),
      label: facts.label, options: options)
    guard try isWhole(known, digest, catchUp, of: vaultID, state) else { return nil }
    try catchUp.bring(
      all: Set((vault.inventory?.onlyIn() ?? [:]).keys.compactMap(Digest.init(hex:)) + [digest])
    ) { try report(.progress($0)) }
    var unchanged = UnchangedArchive(link: known)
    unchanged.inventory = vault.inventory
    unchanged.failures = survey.failures
    unchanged.copies = catchUp.report
    let base = catchUp.base(of: digest)
    unchanged.targets = catchUp.found.indices.filter { index in
      catchUp.has(digest, index) && base.map { catchUp.has($0, index) } ?? true
    }.map { catchUp.found[$0].target }
    return unchanged.targets.isEmpty ? nil : unchanged
  }

  /// Whether every target that has the archive and its base has them whole, and some target has both.
  private func isWhole(
    _ known: VaultState.Link, _ digest: Digest, _ catchUp: CatchUp, of vaultID: VaultID, _ state: LockedState
  ) throws -> Bool {
    let base = catchUp.base(of: digest)
    // A copy with other seals has the same digest, and no key opens it.
    let witness = try catchUp.trust.sealWitness(of: vaultID)
    let check = BaseCheck(vaultID: vaultID, now: SystemClock.now / 1_000_000)
    var isSomewhere = false
    for (target, entries) in catchUp.found {
      let newest = entries.filter { $0.archive?.statedDigest == digest }
      let vouched = newest.compactMap { VouchedFile($0, witness) }
      let daily = DailyCheck(state: state.directory, vault: vaultID, target: target)
      guard
        newest.isEmpty
          || vouched.contains(where: { $0.entry.archive?.structuralDamage.isEmpty ?? false })
      else { return false }
      guard try newest.isEmpty || daily.isWhole(vouched.map(\.entry), { _ in }) else {
        try report(.lastIsDamaged(known, target: target.path))
        return false
      }
      let bases = base.map { base in entries.filter { $0.archive?.statedDigest == base } } ?? []
      if let base, let first = bases.first?.archive {
        let files = bases.compactMap { VouchedFile($0, witness) }
        guard try check.isWhole(base, files, in: target, state, progress: { _ in }) else {
          let link = VaultState.Link(sequence: first.facts.sequence, digest: base)
          try report(.lastIsDamaged(link, target: target.path))
          return false
        }
      }
      if !newest.isEmpty, base == nil || !bases.isEmpty { isSomewhere = true }
    }
    return isSomewhere
  }
}
