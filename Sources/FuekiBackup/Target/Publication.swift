internal import FuekiArchive

/// How a vault's next archive comes into its targets, whatever is in it: place, write, read back, announce,
/// publish, confirm.
struct Publication {
  let targets: [Target]
  let vaultID: [UInt8]
  let label: String
  let signer: SigningKey?
  let created: UInt64

  /// What was published, and where.
  struct Published<Contents> {
    let archive: WrittenArchive
    let contents: Contents
    let paths: [String]
    let failures: [TargetFailure]
  }

  /// Runs the steps in their order.
  ///
  /// Until the last step nothing in a target has an archive's name; an archive is published only after every byte
  /// of it was read back, and the intent to publish it is durable before it is.
  ///
  /// - Parameters:
  ///   - state: what this machine remembers.
  ///   - progress: what it throws ends the run, and nothing is left behind.
  ///   - place: finds the place in the vault's chain, from what is known and what lies in the targets.
  ///   - contents: gathers what will be written, once the place is clear.
  ///   - write: writes it.
  /// - Returns: the archive and where it is, and the targets that failed.
  /// - Throws: ``BackupError``, and what the closures and the first target throw.
  func run<Contents>(
    state: LockedState, progress: (BackupProgress) throws -> Void,
    place: (VaultState, [StoredArchive]) throws -> VaultChain.Position, contents: () throws -> Contents,
    write: (Contents, ArchiveFile, ArchiveDraft) throws -> WrittenArchive
  ) throws -> Published<Contents> {
    guard let first = targets.first else { throw BackupError.noTarget(path: "") }
    let machine = try state.machineID()
    let position = try place(state.directory.vault(vaultID), try found(machine: machine))
    let contents = try contents()

    let temporary = try TemporaryArchive(in: first, machine: machine)
    let draft = ArchiveDraft(
      vaultID: vaultID, sequence: position.sequence, previous: position.previous, created: created,
      signer: signer)
    let written = try write(contents, temporary.file, draft)
    let intact = try temporary.readBack(written.digest) { try progress(.readingBack(bytes: $0)) }

    try announce(written, state)
    let (paths, failures) = try publish(temporary, intact, machine: machine, progress: progress)
    try confirm(written, state)
    return Published(archive: written, contents: contents, paths: paths, failures: failures)
  }

  /// The archives that lie in the targets, once this machine's leftovers are gone.
  private func found(machine: String) throws -> [StoredArchive] {
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
    return found
  }

  // MARK: the chain

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
  ) throws -> (paths: [String], failures: [TargetFailure]) {
    let name = ArchiveName.make(label: label, facts: intact.facts, digest: intact.digest)
    var copies: [(target: Target, archive: TemporaryArchive)] = []
    var failures: [TargetFailure] = []
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
        failures.append(TargetFailure(path: target.path, error: error))
      }
    }
    var paths = [try temporary.publish(as: name)]
    for copy in copies {
      do {
        paths.append(try copy.archive.publish(as: name))
      } catch {
        failures.append(TargetFailure(path: copy.target.path, error: error))
      }
    }
    return (paths, failures)
  }
}

/// A target that an archive could not be put in.
public struct TargetFailure: Sendable {
  /// The target's folder.
  public let path: String
  /// Why.
  public let error: any Error
}
