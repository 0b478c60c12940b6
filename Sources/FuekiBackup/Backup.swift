public import FuekiArchive
internal import FuekiWallet

/// The whole way out: what is collected becomes one sealed archive, in every target.
public struct Backup: Sendable {
  /// Where the archive goes; the first is written to, the others get copies.
  public var targets: [Target]
  /// The vault that the archive belongs to, 16 bytes.
  public var vaultID: [UInt8]
  /// What opens the archive.
  public var slots: [NewSlot]
  /// Who signs it, or nil.
  public var signer: SigningKey?
  /// What its manifest says beside its records.
  public var facts: ManifestFacts
  /// Seconds since 1970.
  public var created: UInt64
  /// Unknown newer archives in the targets are this person's.
  public var isAdopting = false

  /// - Parameters:
  ///   - targets: at least one; the first is written to, the others get copies.
  ///   - vaultID: 16 bytes.
  ///   - slots: what opens the archive; 1…32, at most 4 of them passphrases.
  ///   - signer: nil for an unsigned archive.
  ///   - facts: what the manifest says beside the records.
  ///   - created: seconds since 1970.
  public init(
    targets: [Target], vaultID: [UInt8], slots: [NewSlot], signer: SigningKey? = nil, facts: ManifestFacts,
    created: UInt64
  ) {
    self.targets = targets
    self.vaultID = vaultID
    self.slots = slots
    self.signer = signer
    self.facts = facts
    self.created = created
  }

  /// Collects, bundles, seals and writes, reads back and verifies, then publishes.
  ///
  /// Until the last step nothing in a target has an archive's name; an archive is published only after every byte
  /// of it was read back, and the intent to publish it is durable before it is.
  ///
  /// - Parameters:
  ///   - state: what this machine remembers; the lock is held until the run ends.
  ///   - progress: what it throws ends the run, and nothing is left behind.
  ///   - collect: makes the bundle, once this machine's place in the vault's chain is clear.
  /// - Returns: the archive, where it is, and the copies that failed.
  /// - Throws: ``BackupError/noTarget(path:)``; ``BackupError/nothingToBackUp``;
  ///   ``BackupError/forked(sequence:known:)`` or ``BackupError/unknownSuccessor(sequence:known:)`` where a target
  ///   holds what this machine does not know;
  ///   ``BackupError/readBackDiffers(path:)``; what writing to the first target and the closures throw.
  public func create(
    state: LockedState, progress: (BackupProgress) throws -> Void, collect: () throws -> BackupBundle
  ) throws -> BackupReport {
    guard let first = targets.first else { throw BackupError.noTarget(path: "") }
    let machine = try state.machineID()
    let position = try place(state, machine: machine)

    let bundle = try collect()
    guard !bundle.sections.isEmpty else { throw BackupError.nothingToBackUp }

    let temporary = try TemporaryArchive(in: first, machine: machine)
    let draft = ArchiveDraft(
      vaultID: vaultID, sequence: position.sequence, previous: position.previous, created: created,
      signer: signer)
    let written = try bundle.write(
      to: temporary.file, draft: draft, slots: slots, facts: facts, progress: progress)
    let intact = try temporary.readBack(written.digest) { try progress(.readingBack(bytes: $0)) }

    try announce(written, state)
    let (published, failures) = try publish(temporary, intact, machine: machine, progress: progress)
    try confirm(written, state)
    return BackupReport(archive: written, bundle: bundle, paths: published, failures: failures)
  }

  // MARK: the chain

  private func place(_ state: LockedState, machine: String) throws -> VaultChain.Position {
    var found: [StoredArchive] = []
    for target in targets {
      do {
        try target.removeLeftovers(machine: machine)
        found += try target.entries().compactMap(\.archive)
      } catch  where target != targets.first {
        // Named as a failed target when its turn comes.
        continue
      }
    }
    return try VaultChain.next(
      of: vaultID, state: try state.directory.vault(vaultID), found: found, adopting: isAdopting)
  }

  private func announce(_ written: WrittenArchive, _ state: LockedState) throws {
    var vault = try state.directory.vault(vaultID)
    vault.intent = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    try state.keep(vault, of: vaultID)
  }

  private func confirm(_ written: WrittenArchive, _ state: LockedState) throws {
    let link = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    try state.keep(VaultState(known: link), of: vaultID)
  }

  // MARK: targets

  private func publish(
    _ temporary: TemporaryArchive, _ intact: IntactArchive, machine: String,
    progress: (BackupProgress) throws -> Void
  ) throws -> (paths: [String], failures: [BackupReport.TargetFailure]) {
    let name = ArchiveName.make(label: facts.label, facts: intact.facts, digest: intact.digest)
    var copies: [(target: Target, archive: TemporaryArchive)] = []
    var failures: [BackupReport.TargetFailure] = []
    for target in targets.dropFirst() {
      do {
        try progress(.publishing(target: target.path))
        let copy = try TemporaryArchive(in: target, machine: machine)
        try copy.copy(from: intact) { try progress(.readingBack(bytes: $0)) }
        _ = try copy.readBack(intact.digest) { try progress(.readingBack(bytes: $0)) }
        copies.append((target, copy))
      } catch BackupError.interrupted {
        throw BackupError.interrupted
      } catch {
        failures.append(BackupReport.TargetFailure(path: target.path, error: error))
      }
    }
    var paths = [try temporary.publish(as: name)]
    for copy in copies {
      do {
        paths.append(try copy.archive.publish(as: name))
      } catch {
        failures.append(BackupReport.TargetFailure(path: copy.target.path, error: error))
      }
    }
    return (paths, failures)
  }
}

/// What a backup came to.
public struct BackupReport: Sendable {
  /// A target that the archive could not be put in.
  public struct TargetFailure: Sendable {
    /// The target's folder.
    public let path: String
    /// Why.
    public let error: any Error
  }

  /// The archive.
  public let archive: WrittenArchive
  /// What it holds, and what its sources said.
  public let bundle: BackupBundle
  /// Where it now is.
  public let paths: [String]
  /// Where it could not be put.
  public let failures: [TargetFailure]

  /// Whether every source gave all that was asked for, and every target has the archive.
  public var isComplete: Bool { failures.isEmpty && bundle.reports.allSatisfy(\.complete) }
}
