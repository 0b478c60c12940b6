internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The newest archive, where nothing has changed since, and where it is.
public struct UnchangedArchive: Sendable {
  /// The archive.
  public let link: VaultState.Link
  /// The targets that have it.
  public internal(set) var targets: [Target] = []
  /// The targets that could not be looked at, and why.
  public internal(set) var failures: [TargetFailure] = []
  /// The things of worth in it, and those that only earlier archives have.
  public internal(set) var inventory: Inventory?

  /// The things that earlier archives have and this one has not, and whose loss was not accepted.
  public var losses: [Absence] { inventory?.losses ?? [] }

  init(link: VaultState.Link) { self.link = link }

  /// Notes that today's backup is there: one that was not needed is not one that is missing.
  func note(in state: StateDirectory, vault: VaultID) throws {
    let digest = Digest(hex: link.digest)
    for target in targets {
      try state.note(
        .create, target: target.path, vault: vault, archive: digest, sequence: link.sequence)
    }
  }
}

extension BackupRun {
  /// The newest archive, if it has the same contents and lies whole in every target that can be looked at.
  ///
  /// One that cannot gets no archive today, whether a new one is made or not. Where something else claims to be the
  /// vault's newest, it is not for this to say what becomes of it.
  func unchanged(
    _ content: String, of vaultID: VaultID, _ state: LockedState, _ trust: Trust
  ) throws -> UnchangedArchive? {
    let vault = try state.directory.vault(vaultID)
    guard let known = vault.known, vault.content == content else { return nil }
    // An acceptance is signed into an archive's manifest.
    guard !acceptance.changes(vault.inventory) else { return nil }
    // A copy with other seals has the same digest, and no key opens it.
    let witness = try trust.sealWitness(of: vaultID)
    var unchanged = UnchangedArchive(link: known)
    unchanged.inventory = vault.inventory
    for target in targets {
      do {
        let found = try target.entries().filter { $0.archive?.facts.vaultID == vaultID }
        let ownerships = try Ownerships(of: found.compactMap(\.archive), trust: trust)
        let newest = found.filter { entry in
          guard let archive = entry.archive else { return false }
          return ownerships[archive] != .stranger && archive.facts.sequence >= known.sequence
        }
        let vouched = newest.compactMap { VouchedFile($0, witness) }
        guard newest.allSatisfy({ $0.archive?.statedDigest.hex == known.digest }),
          vouched.contains(where: { $0.entry.archive?.structuralDamage.isEmpty ?? false })
        else { return nil }
        let check = DailyCheck(state: state.directory, vault: vaultID, target: target)
        guard try check.isWhole(vouched.map(\.entry), { _ in }) else {
          try report(.lastIsDamaged(known, target: target.path))
          return nil
        }
        guard try hasBase(newest, among: found, in: target, of: vaultID, witness, state) else { return nil }
        unchanged.targets.append(target)
      } catch is Interrupted {
        throw Interrupted()
      } catch {
        unchanged.failures.append(TargetFailure(path: target.path, error: error))
      }
    }
    return unchanged.targets.isEmpty ? nil : unchanged
  }

  /// Whether the target has the other file that a restore of the archive needs, where it needs one.
  private func hasBase(
    _ newest: [TargetEntry], among found: [TargetEntry], in target: Target, of vaultID: VaultID,
    _ witness: SealWitness, _ state: LockedState
  ) throws -> Bool {
    guard let base = newest.first?.archive?.facts.base else { return true }
    let files = found.filter { $0.archive?.statedDigest == base.digest }.compactMap {
      VouchedFile($0, witness)
    }
    let check = BaseCheck(vaultID: vaultID, now: SystemClock.now / 1_000_000)
    if try check.isWhole(base.digest, files, in: target, state, progress: { _ in }) { return true }
    try report(
      .lastIsDamaged(VaultState.Link(sequence: base.sequence, digest: base.digest), target: target.path))
    return false
  }
}
