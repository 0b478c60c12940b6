internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Copies archives to the targets that lack them, from the targets that have them.
///
/// The original is verified, and the copy is read back before it gets its name.
struct CatchUp {
  let vaultID: VaultID
  /// The targets that get copies, and their current contents.
  private(set) var found: [(target: Target, entries: [TargetEntry])]
  let trust: Trust
  let state: LockedState
  let machine: String
  /// The beginning of a copy's name if no file has the archive's own name.
  let label: String
  /// Copies have recovery files, and leave with private keys, as these options say.
  let options: PublicationOptions
  /// The archives that were copied, and those that could not be.
  private(set) var report = CopyReport()

  init(
    vaultID: VaultID, found: [(target: Target, entries: [TargetEntry])], trust: Trust, state: LockedState,
    machine: String, label: String, options: PublicationOptions
  ) {
    self.vaultID = vaultID
    self.found = found
    self.trust = trust
    self.state = state
    self.machine = machine
    self.label = label
    self.options = options
  }

  /// Whether a target has an archive, as far as the structure of its files shows.
  func has(_ digest: Digest, _ index: Int) -> Bool {
    found[index].entries.contains {
      $0.archive.map { $0.statedDigest == digest && $0.structuralDamage.isEmpty } ?? false
    }
  }

  /// The base that an archive needs; nil if it needs none.
  func base(of digest: Digest) -> Digest? {
    found.lazy.flatMap(\.entries).compactMap(\.archive).first { $0.statedDigest == digest }?.facts.base?
      .digest
  }

  /// Copies an archive to every target that lacks it.
  ///
  /// - Returns: the targets that still lack it, and why; all of them without a reason if no target has it.
  /// - Throws: what `progress` throws.
  @discardableResult
  mutating func bringEverywhere(
    _ digest: Digest, _ progress: (BackupProgress) throws -> Void
  ) throws -> [TargetFailure] {
    let lacking = found.indices.filter { !has(digest, $0) }
    guard !lacking.isEmpty, lacking.count < found.count else { return [] }
    var failures: [TargetFailure] = []
    for index in lacking {
      let failure = try TargetFailure.of(found[index].target) { try bring(digest, to: index, progress) }
      if let failure { failures.append(failure) }
    }
    return failures
  }

  /// Copies the archives that alone have something of worth, and the bases that these need.
  ///
  /// - Parameters:
  ///   - inventory: the things of worth in the newest archive, and those that only earlier ones have.
  ///   - failed: targets that took no archive in this run; they are not tried again.
  ///   - progress: what it throws ends the work.
  /// - Throws: what `progress` throws.
  mutating func bringOnlyOnes(
    of inventory: Inventory?, besides failed: [TargetFailure],
    _ progress: (BackupProgress) throws -> Void
  ) throws {
    let away = Set(failed.map(\.path))
    found.removeAll { away.contains(ExactText($0.target.path)) }
    let digests = (inventory?.onlyIn() ?? [:]).keys.compactMap(Digest.init(hex:))
    try bring(all: Set(digests), progress)
  }

  /// Copies archives, and the bases that they need, to every target that lacks them; the oldest first, so that no copy is
  /// without its base.
  mutating func bring(all digests: Set<Digest>, _ progress: (BackupProgress) throws -> Void) throws {
    let archives = found.flatMap(\.entries).compactMap(\.archive)
    let bases = archives.filter { digests.contains($0.statedDigest) }.compactMap { $0.facts.base?.digest }
    let wanted = digests.union(bases)
    let ordered = archives.filter { wanted.contains($0.statedDigest) }
      .map { VaultState.Link(sequence: $0.facts.sequence, digest: $0.statedDigest) }
      .reduce(into: [VaultState.Link]()) { if !$0.contains($1) { $0.append($1) } }
      .sorted { ($0.sequence, $0.digest) < ($1.sequence, $1.digest) }
    for link in ordered {
      guard let digest = Digest(hex: link.digest) else { continue }
      report.failures += try bringEverywhere(digest, progress).map {
        CopyReport.Failure(link: link, target: $0.path, error: $0.error)
      }
    }
  }

  private mutating func bring(
    _ digest: Digest, to index: Int, _ progress: (BackupProgress) throws -> Void
  ) throws {
    let target = found[index].target
    let (original, source) = try original(of: digest, progress)
    let facts = original.facts
    try checkMayGo(facts.sequence, to: target)
    var staged: TemporaryArchive?
    if source.target.kind == .rclone, target.kind == .rclone || options.parity != nil {
      // The next target reads it from a file of this machine.
      let copy = try TemporaryArchive(in: .outgoing(state, machine: machine), machine: machine)
      try copy.copy(from: original) { _ in try progress(.publishing(target: target.path)) }
      _ = try copy.readBack(digest) { try progress(.readingBack(bytes: $0, of: original.source.byteCount)) }
      staged = copy
    }
    let path = staged?.path ?? source.entry.path
    let name =
      source.entry.hasOwnName
      ? source.entry.name : ArchiveName.make(label: label, facts: facts, digest: digest)
    let parity = try parity(of: path, name, progress)
    var putting = Distribution(copyOf: original, at: path, machine: machine, name: name, parity: parity)
    try putting.putIntoFolders([target], progress)
    try putting.putOnRemotes([target], progress)
    if let failure = putting.failures.first { throw failure.error }
    guard let copied = putting.paths.first else { return }
    let link = VaultState.Link(sequence: facts.sequence, digest: digest)
    report.copied.append(
      CopiedArchive(
        link: link, path: copied, byteCount: original.source.byteCount, parity: parity?.files ?? []))
    report.warnings += putting.warnings
    let lacksParity = options.parity.map { $0.percent > 0 && parity == nil } ?? false
    if lacksParity || !putting.parityFailures.isEmpty { report.withoutParity.append(copied) }
    found[index].entries = try target.entries().filter { $0.archive != nil }
    try state.note(link, in: target, of: vaultID)
  }

  /// The first file of an archive every byte of which holds: files whose seals are vouched for come first.
  ///
  /// - Throws: ``TargetError/noWholeCopy(sequence:)``.
  private func original(
    of digest: Digest, _ progress: (BackupProgress) throws -> Void
  ) throws -> (IntactArchive, source: (target: Target, entry: TargetEntry)) {
    let witness = try trust.sealWitness(of: vaultID)
    let files = found.flatMap { target, entries in
      entries.compactMap { entry in
        entry.archive.flatMap {
          $0.statedDigest == digest ? (target: target, entry: entry, archive: $0) : nil
        }
      }
    }
    let vouched = files.filter { witness.vouches(for: $0.archive) }
    // Files with one digest and different seals: nothing tells which of them opens.
    guard !vouched.isEmpty || Set(files.map(\.archive.trailerDigest)).count < 2 else {
      throw TargetError.noWholeCopy(sequence: files.first?.archive.facts.sequence ?? 0)
    }
    let ordered = (vouched.isEmpty ? files : vouched).sorted { a, b in
      (a.target.kind == .rclone ? 1 : 0, a.entry.hasOwnName ? 0 : 1)
        < (b.target.kind == .rclone ? 1 : 0, b.entry.hasOwnName ? 0 : 1)
    }
    var first: (any Error)?
    for file in ordered {
      do {
        let report = try StoredArchive(reading: file.target.storage.open(file.entry)).verify {
          try progress(.readingBack(bytes: $0, of: file.entry.byteCount))
        }
        if let intact = report.intact, report.damage.isEmpty, intact.digest == digest {
          return (intact, (file.target, file.entry))
        }
      } catch  where Interrupted.isCause(of: error) {
        throw Interrupted()
      } catch {
        first = first ?? error
      }
    }
    throw first ?? TargetError.noWholeCopy(sequence: files.first?.archive.facts.sequence ?? 0)
  }

  /// An archive with private keys stays in the targets that it was made for.
  private func checkMayGo(_ sequence: UInt64, to target: Target) throws {
    guard target.isSeenByOthers, !options.privateKeysMayLeave,
      let places = try state.directory.vault(vaultID).places, !places.mayLeave(sequence, to: target.place)
    else { return }
    throw TargetError.holdsPrivateKeys(path: target.path)
  }

  /// Recovery files are worth less than the copy, which goes without them if they cannot be made.
  private func parity(
    of path: String, _ name: String, _ progress: (BackupProgress) throws -> Void
  ) throws -> MadeParity? {
    guard let amount = options.parity, amount.percent > 0 else { return nil }
    do {
      return try MadeParity(amount, of: path, name: name, state: state) {
        try progress(.makingParity(percent: $0))
      }
    } catch {
      guard !(error is Interrupted), !Interruption.wasRequested else { throw Interrupted() }
      return nil
    }
  }
}
