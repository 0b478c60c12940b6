internal import FuekiCrypto
internal import FuekiSystem
public import FuekiArchive

extension Publication {
  /// Announces the archive, publishes it in every target, and confirms it in this machine's state.
  ///
  /// - Throws: the first target's error if none has the archive; errors from the closure and from writing the state.
  func distribute<Contents>(
    _ verified: Verified<Contents>, _ progress: (BackupProgress) throws -> Void
  ) throws -> PublishedArchive {
    let (written, intact) = (verified.written, verified.intact)
    var place = verified.place
    let name = ArchiveName.make(label: label, facts: intact.facts, digest: intact.digest)
    let (parity, parityFailure) = try makeParity(of: verified.temporary, name, progress)
    try announce(written, intact.source)
    var putting = Distribution(
      made: verified.temporary, intact: intact, machine: place.machine, name: name, parity: parity)
    try putting.putIntoFolders(place.live, progress)
    // A run that ends while a remote is slow has already recorded the folders' archives.
    let isInFolders = !putting.paths.isEmpty
    if isInFolders { try confirm(verified) }
    try putting.putOnRemotes(place.live, progress)
    let failures = place.failures + putting.failures
    guard !putting.paths.isEmpty else { throw failures[0].error }
    if !isInFolders { try confirm(verified) }
    try place.catchUp.bringOnlyOnes(of: verified.inventory, besides: failures, progress)
    try state.note(written, in: putting.paths, to: place.permitted)
    let tableError = keepTable(verified.pass, of: written, in: putting.paths)
    return PublishedArchive(
      archive: written, paths: putting.paths, failures: failures, parity: putting.deliveredParity,
      parityFailures: (parityFailure.map { [$0] } ?? []) + putting.parityFailures,
      warnings: putting.warnings, strangers: place.strangers, fullReason: place.basis?.reason,
      baseSlotsForTheLongTerm: written.facts.base.map(place.slotsForTheLongTerm), tableError: tableError,
      inventory: verified.inventory, copies: place.catchUp.report)
  }

  /// Makes recovery files, without which the archive is published if they cannot be made.
  private func makeParity(
    of temporary: TemporaryArchive, _ name: String, _ progress: (BackupProgress) throws -> Void
  ) throws -> (made: MadeParity?, failure: TargetFailure?) {
    guard let amount = options.parity, amount.percent > 0 else { return (nil, nil) }
    do {
      let made = try MadeParity(amount, of: temporary.path, name: name, state: state) {
        try progress(.makingParity(percent: $0))
      }
      return (made, nil)
    } catch {
      guard !(error is Interrupted), !Interruption.wasRequested else { throw Interrupted() }
      return (nil, TargetFailure(path: "", error: error))
    }
  }

  /// Records the intent to publish the archive.
  private func announce(_ written: WrittenArchive, _ archive: StoredArchive) throws {
    var vault = try state.directory.vault(vaultID)
    vault.intent = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    vault.remember(sealsOf: archive)
    try state.keep(vault, of: vaultID)
  }

  /// Records the archive as the vault's newest.
  private func confirm<Contents>(_ verified: Verified<Contents>) throws {
    let (written, facts) = (verified.written, verified.facts)
    let link = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    let before = try state.directory.vault(vaultID)
    var vault = before
    vault.advance(to: link, signer: written.facts.signer)
    memory.remember(written, in: &vault, before: before)
    vault.inventory = verified.inventory
    vault.guardians = options.guardiansStay ? slots.guardians?.line : nil
    vault.emptied = []
    if let base = written.facts.base, vault.base?.digest == base.digest.hex {
      vault.base?.opensAlike = link.digest
    }
    vault.missing = facts?.missing ?? before.missing
    vault.keptUnread = facts?.keptUnread ?? before.keptUnread
    if let facts {
      vault.sources = facts.sources
      vault.declinedKeys = facts.declinedKeys
      vault.remember(facts.findings)
      vault.placedFiles = facts.placedFiles
    }
    try state.keep(vault, of: vaultID)
  }
}

/// An archive every byte of which was verified, on its way into the targets.
struct Distribution {
  /// The file that the archive was made in; nil if the archive is copied from a target.
  private let made: TemporaryArchive?
  private let original: String
  let intact: IntactArchive
  let machine: String
  /// The archive's future name.
  let name: String
  /// The recovery files that accompany it.
  let parity: MadeParity?

  /// Where it is by now.
  private(set) var paths: [String] = []
  private(set) var failures: [TargetFailure] = []
  private(set) var warnings: [TargetWarning] = []
  /// Where it is, and its recovery files are not.
  private(set) var parityFailures: [TargetFailure] = []

  /// Begins with an archive that was made in the first target, or in this machine's state.
  init(made: TemporaryArchive, intact: IntactArchive, machine: String, name: String, parity: MadeParity?) {
    self.init(made, path: made.path, intact: intact, machine: machine, name: name, parity: parity)
  }

  /// Begins with an archive that another target has.
  init(copyOf intact: IntactArchive, at path: String, machine: String, name: String, parity: MadeParity?) {
    self.init(nil, path: path, intact: intact, machine: machine, name: name, parity: parity)
  }

  private init(
    _ made: TemporaryArchive?, path: String, intact: IntactArchive, machine: String, name: String,
    parity: MadeParity?
  ) {
    self.made = made
    original = path
    self.intact = intact
    self.machine = machine
    self.name = name
    self.parity = parity
  }

  /// Copies the archive into all folders, and only then names the copies.
  ///
  /// The archive was made in the first of the targets, if that is a folder.
  mutating func putIntoFolders(_ targets: [Target], _ progress: (BackupProgress) throws -> Void) throws {
    var deliveries: [(Target, any Delivery)] = []
    for (index, target) in targets.enumerated() where target.kind != .rclone {
      try attempt(target) { putting in
        let isMadeHere = index == 0 && !target.isAppendOnly
        let delivery: any Delivery =
          try (isMadeHere ? putting.made : nil) ?? putting.deliver(to: target, progress)
        deliveries.append((target, delivery))
      }
    }
    for (target, delivery) in deliveries { try attempt(target) { try $0.publish(delivery, in: target) } }
  }

  /// Brings the archive to one remote after another.
  mutating func putOnRemotes(_ targets: [Target], _ progress: (BackupProgress) throws -> Void) throws {
    for target in targets where target.kind == .rclone {
      try attempt(target) { try $0.publish($0.deliver(to: target, progress), in: target) }
    }
  }

  /// The archive's file, on this machine if a remote gets the archive.
  ///
  /// In a folder the file that was made has its name by the time remotes get theirs.
  private var path: String { made?.path ?? original }

  /// Continues with the next target if one fails, unless the user ends the run.
  private mutating func attempt(_ target: Target, _ body: (inout Distribution) throws -> Void) throws {
    if let failure = try TargetFailure.of(target, { try body(&self) }) { failures.append(failure) }
  }

  /// The recovery files, if they are in any target.
  var deliveredParity: [ParityFile] { parityFailures.count < paths.count ? parity?.files ?? [] : [] }

  private func deliver(
    to target: Target, _ progress: (BackupProgress) throws -> Void
  ) throws -> any Delivery {
    try progress(.publishing(target: target.path))
    let storage = try target.storage
    try storage.checkRoom(for: intact.source.byteCount)
    return try storage.deliver(intact, from: path, machine: machine) { bytes in
      let all = intact.source.byteCount
      try progress(bytes > 0 ? .readingBack(bytes: bytes, of: all) : .publishing(target: target.path))
    }
  }

  private mutating func publish(_ delivery: any Delivery, in target: Target) throws {
    paths.append(try delivery.publish(as: name))
    warnings += delivery.warnings
    guard let parity else { return }
    do {
      try target.storage.put(parity, machine: machine)
    } catch {
      // The archive is there, and good without them.
      guard !Interruption.wasRequested else { throw Interrupted() }
      parityFailures.append(TargetFailure(target, error))
    }
  }
}

/// An archive that at least one target has, and its places.
public struct PublishedArchive: Sendable {
  /// The archive.
  public let archive: WrittenArchive
  /// The archive's path in each target that has it.
  public let paths: [String]
  /// The targets that do not have it.
  public let failures: [TargetFailure]
  /// Its recovery files; empty if they were not requested or could not be made.
  public let parity: [ParityFile]
  /// The targets that have the archive and not its recovery files; with no path where they could not be made.
  public let parityFailures: [TargetFailure]
  /// The guarantees that the targets' file systems lack.
  public let warnings: [TargetWarning]
  /// The paths of files in the targets that call themselves archives of this vault, and are a stranger's.
  public let strangers: [String]
  /// The reason that it is a full archive instead of a differential one.
  public let fullReason: FullReason?
  /// For each slot of a differential archive's base, whether it withstands a later quantum computer; nil for a full
  /// archive.
  public let baseSlotsForTheLongTerm: [Bool]?
  /// The reason that it cannot be a base, although it was meant to be one.
  public let tableError: (any Error)?
  /// The things of worth in it, and those that only earlier archives have.
  public let inventory: Inventory?
  /// Earlier archives that targets got, which had been without them.
  public let copies: CopyReport

  /// Whether every target has the archive and its recovery files.
  public var isComplete: Bool { failures.isEmpty && parityFailures.isEmpty }
}
