internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// How a vault's next archive comes into its targets, whatever is in it: place, write, read back, announce,
/// publish, confirm.
struct Publication {
  let targets: [Target]
  let vaultID: [UInt8]
  let label: String
  let signer: SigningKey?
  let created: UInt64
  /// What to compare with the vault's last archive, and to remember.
  var contents = ContentsMemory()

  /// What was published, and where.
  struct Published<Contents> {
    let archive: WrittenArchive
    let contents: Contents
    let paths: [String]
    let failures: [TargetFailure]
    let warnings: [TargetWarning]
  }

  /// Runs the steps in their order.
  ///
  /// Until the last step nothing in a target has an archive's name; an archive is published only after every byte
  /// of it was read back, and the intent to publish it is durable before it is. A target that fails does not stop
  /// the others: where the first cannot be written to, the next one takes its part. Folders have their archive before
  /// the first byte goes to a remote, however long that takes.
  ///
  /// - Parameters:
  ///   - state: what this machine remembers.
  ///   - progress: what it throws ends the run, and nothing is left behind.
  ///   - place: finds the place in the vault's chain, from what is known and what lies in the targets.
  ///   - contents: gathers what will be written, once the place is clear; once more for each target that fails.
  ///   - write: writes it.
  /// - Returns: the archive and where it is, and the targets that failed.
  /// - Throws: ``BackupError``, what the closures throw, and the first target's error where all of them fail.
  func run<Contents>(
    state: LockedState, progress: (BackupProgress) throws -> Void,
    place: (VaultState, [StoredArchive]) throws -> VaultChain.Position, contents: () throws -> Contents,
    write: (Contents, ArchiveFile, ArchiveDraft) throws -> WrittenArchive
  ) throws -> Published<Contents> {
    let machine = try state.machineID()
    var (live, found, failures) = try look(machine: machine, made: (try? state.directory.activity()) ?? [])
    let position = try place(state.directory.vault(vaultID), found)
    let room = roomNeeded(found)
    while true {
      let contents = try contents()
      let temporary: TemporaryArchive
      let written: WrittenArchive
      let intact: IntactArchive
      do {
        let workshop = try live[0].storage.workshop(state, machine: machine)
        try workshop.checkRoom(for: room)
        temporary = try TemporaryArchive(in: workshop, machine: machine)
        let draft = ArchiveDraft(
          vaultID: vaultID, sequence: position.sequence, previous: position.previous, created: created,
          signer: signer)
        written = try write(contents, temporary.file, draft)
        try self.contents.check(written, against: state.directory.vault(vaultID))
        intact = try temporary.readBack(written.digest) { try progress(.readingBack(bytes: $0)) }
      } catch  where error is SystemError && live.count > 1 {
        failures.append(TargetFailure(path: live.removeFirst().path, error: error))
        continue
      }
      try announce(written, state)
      var putting = Putting(
        temporary: temporary, intact: intact, machine: machine,
        name: ArchiveName.make(label: label, facts: intact.facts, digest: intact.digest))
      try putting.putIntoFolders(live, progress)
      // A run that ends while a remote is slow has noted what the folders have.
      let isInFolders = !putting.paths.isEmpty
      if isInFolders { try confirm(written, state) }
      try putting.putOnRemotes(live, progress)
      guard !putting.paths.isEmpty else { throw (failures + putting.failures)[0].error }
      if !isInFolders { try confirm(written, state) }
      return Published(
        archive: written, contents: contents, paths: putting.paths,
        failures: failures + putting.failures, warnings: putting.warnings)
    }
  }

  /// The targets that answer, folders first, and the archives that lie in them once this machine's leftovers are gone.
  ///
  /// - Throws: the first target's error where none answers.
  private func look(
    machine: String, made: [Activity]
  ) throws -> (live: [Target], found: [StoredArchive], failures: [TargetFailure]) {
    var live: [Target] = []
    var found: [StoredArchive] = []
    var failures: [TargetFailure] = []
    var places: Set<String> = []
    // A folder that is named twice, or by a link too, is one: its second copy would find its name taken.
    for target in targets where places.insert(target.place).inserted {
      do {
        try target.storage.removeLeftovers(of: machine)
        let archives = try target.entries().compactMap(\.archive)
        try checkMount(target, archives, made)
        found += archives
        live.append(target)
      } catch BackupError.interrupted {
        throw BackupError.interrupted
      } catch {
        failures.append(TargetFailure(path: target.path, error: error))
      }
    }
    guard !live.isEmpty else { throw failures.first?.error ?? BackupError.noTarget(path: "") }
    // An archive is made in a folder; what only remotes get is made in this machine's state.
    return (live.filter { $0.kind != .rclone } + live.filter { $0.kind == .rclone }, found, failures)
  }

  /// A disk that is not mounted leaves a folder, and what is put there is on the disk that the wallet is on.
  ///
  /// - Throws: ``BackupError/otherFileSystem(path:)`` where none of the archives that this machine put into the folder
  ///   is there, and neither is the file system that it was on.
  private func checkMount(_ target: Target, _ found: [StoredArchive], _ made: [Activity]) throws {
    guard !contents.acceptsLoss, !found.contains(where: { $0.facts.vaultID == vaultID }) else { return }
    let (place, vault) = (target.place, Hex.encode(vaultID))
    let last = made.first { $0.kind == .create && $0.target == place && $0.vault == vault }
    guard let before = last?.fileSystem, try target.fileSystem() != before else { return }
    throw BackupError.otherFileSystem(path: target.path)
  }

  /// What the next archive will surely need: half of what the vault's last one has, for a wallet may have shrunk.
  private func roomNeeded(_ found: [StoredArchive]) -> UInt64 {
    let own = found.filter { $0.facts.vaultID == vaultID }
    return own.max { $0.facts.sequence < $1.facts.sequence }.map { $0.byteCount / 2 } ?? 0
  }

  // MARK: the chain

  private func announce(_ written: WrittenArchive, _ state: LockedState) throws {
    var vault = try state.directory.vault(vaultID)
    vault.intent = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    try state.keep(vault, of: vaultID)
  }

  private func confirm(_ written: WrittenArchive, _ state: LockedState) throws {
    let link = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    let before = try state.directory.vault(vaultID)
    var vault = VaultState(known: link)
    contents.remember(written, in: &vault, before: before)
    try state.keep(vault, of: vaultID)
  }
}

/// A target that an archive could not be put in.
public struct TargetFailure: Sendable {
  /// The target's path.
  public let path: String
  /// Why.
  public let error: any Error
}
