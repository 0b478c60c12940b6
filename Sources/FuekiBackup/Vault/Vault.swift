package import FuekiWallet
public import FuekiArchive
public import FuekiCrypto
public import FuekiSystem

/// The vault of an app: the archives of its records, and this machine's state of them.
///
/// The functions that block run on threads of their own. They stop with `CancellationError` if their task is
/// cancelled, and leave no unfinished files.
///
///     let vault = try await Vault.open(state: "/home/ada/.local/state/chat")
///     let words = try VaultPassphrase(utf8: typed.span)
///     try await vault.backUp(to: [Target(path: "/media/usb")], opening: [.passphrase(words)]) { archive in
///       for message in messages { try archive.add(message) }
///     }
public struct Vault: Sendable {
  /// The vault's id, 16 random bytes, which all of its archives state.
  public let id: VaultID
  let state: StateDirectory
  private let facts: ManifestFacts
  private let now: @Sendable () -> Int64

  /// Opens the vault that a state directory belongs to, and creates both if they do not exist.
  ///
  /// On a new machine, pass the archive that was restored: the vault's next archive then follows it.
  ///
  /// - Parameters:
  ///   - path: the state directory, of one vault. It holds the signing key, is private to the user, and must not be in
  ///     a folder that is synchronized with other machines.
  ///   - program: the app's name and version, which archives state.
  ///   - label: the beginning of the archives' file names; letters, digits, dots and underscores.
  ///   - archive: the restored archive to continue after; nil to continue from the state.
  ///   - now: the clock, in microseconds since 1970.
  /// - Returns: the vault.
  /// - Throws: ``VaultError``; ``StateError/locked(owner:)`` if another run uses a state that is new or continued;
  ///   `SystemError` if the state cannot be written; `CancellationError`.
  public static func open(
    state path: String, program: String = "an app with FuekiBackup", label: String = "vault",
    continuing archive: OpenArchive? = nil, now: @escaping @Sendable () -> Int64 = { SystemClock.now }
  ) async throws -> Vault {
    try await BlockingRun.run { _ in
      let state = StateDirectory(path: path)
      let facts = ManifestFacts(program: program, label: label, device: HostName.current)
      if archive == nil, let id = try state.storelessVaultID() {
        return Vault(id: id, state: state, facts: facts, now: now)
      }
      let lock = try state.lock(purpose: program, processID: CurrentProcess.identifier)
      if let archive { try lock.continue(after: archive) }
      return Vault(id: try lock.storelessVaultID(), state: state, facts: facts, now: now)
    }
  }

  /// Returns the signer of this machine's archives; nil before the first one.
  ///
  /// Its key is made with the first archive, and kept in the state.
  ///
  /// - Throws: ``SigningKeyError``, and `SystemError` if the key cannot be read.
  public func signer() throws -> Signer? { try state.signingKey(of: id)?.signer }

  /// Makes an archive of an app's records, reads every byte back, and puts it in the targets.
  ///
  /// - Parameters:
  ///   - targets: at least one. The first writable one gets the archive, and the others get copies.
  ///   - slots: the keys that will open the archive; 1…32, at most 4 of them passphrases.
  ///   - options: the recovery files and what the archive may hold, as the command line has them.
  ///   - losses: the accepted losses, if things of the last archive are gone.
  ///   - progress: receives each step, and is finished when this returns or throws. Make it with
  ///     `AsyncStream.makeStream(of: BackupProgress.self, bufferingPolicy: .bufferingNewest(1))`.
  ///   - add: adds the records, on a thread of its own. It is called again if a target fails meanwhile.
  /// - Returns: the archive, where it is, and the targets that failed.
  /// - Throws: ``StateError/locked(owner:)`` if another backup of this state is running;
  ///   ``PublishError/nothingToBackUp(leftOut:)``; ``PublishError/emptied(_:)`` if a part of the last archive is gone
  ///   and that is not accepted; ``LineageError`` if the targets hold a newer archive of this vault from elsewhere;
  ///   ``TargetError`` and `SystemError` if no target is writable; `CancellationError`; the errors of `add`.
  @discardableResult
  public func backUp(
    to targets: [Target], opening slots: [NewSlot], options: PublicationOptions = PublicationOptions(),
    accepting losses: LossAcceptance = LossAcceptance(),
    progress: AsyncStream<BackupProgress>.Continuation? = nil,
    adding add: @escaping @Sendable (inout BackupBundle.Builder) throws -> Void
  ) async throws -> BackupReport {
    defer { progress?.finish() }
    return try await BlockingRun.run { cancellation in
      let lock = try state.lock(purpose: facts.program, processID: CurrentProcess.identifier)
      var backup = Publication(
        to: targets, of: id, label: facts.label, slots: slots, signing: try state.signing(of: id),
        created: UInt64(clamping: now() / 1_000_000), state: lock)
      backup.options = options
      backup.trust.remember(try state.vault(id), of: id)
      let sections = Set(Section.allCases).subtracting([.manifest])
      (backup.memory.sections, backup.memory.compared) = (sections, sections)
      backup.memory.acceptance = losses
      let report = try backup.create(
        facts,
        progress: { step in
          try cancellation.check()
          progress?.yield(step)
        },
        collect: {
          var builder = BackupBundle.Builder()
          try add(&builder)
          return builder.build()
        })
      try report.note(in: state, vault: id)
      return report
    }
  }
}

/// A reason that a state does not continue after a restored archive.
public enum VaultError: Error, Equatable, Sendable {
  /// The state belongs to another vault.
  case otherVault(VaultID)
  /// The archive does not prove its owner, because anyone can write archives for the key that opened it.
  case unprovenOwner
}

// A machine that restored an archive, and makes the vault's next one.

extension LockedState {
  /// Continues the vault of a restored archive.
  ///
  /// - Parameter archive: opened with the vault's only passphrase, or signed by one of its known signers.
  /// - Throws: ``VaultError``; ``StateError/damaged(path:)``; errors from reading the archive and writing the state.
  func `continue`(after archive: OpenArchive) throws {
    let id = archive.facts.vaultID
    if let kept = try keptStorelessVaultID(), kept != id { throw VaultError.otherVault(kept) }
    var state = try directory.vault(id)
    if let learned = try SignerLearning(from: archive, others: [], open: { _ in nil }) {
      state.accept(learned)
    } else if archive.facts.signer.map(state.signerKeys.contains) != true {
      throw VaultError.unprovenOwner
    }
    if archive.facts.sequence > state.known?.sequence ?? 0,
      let manifest = try archive.decodedManifest()?.manifest
    {
      state.continue(
        from: archive, manifest, try? archive.inventory(manifest), signing: directory.ownKeys(of: id),
        among: [archive.source.source])
    }
    try keep(state, of: id)
    try keepStoreless(id)
  }
}

extension LockedState {
  /// Takes the place of the machines that made a vault's archives: all that the newest has is here.
  func takeOver(_ inventory: Inventory?, among archives: [StoredArchive], of vault: VaultID) throws {
    guard let inventory,
      let archive = archives.first(where: { $0.statedDigest.hex == inventory.archive.digest })
    else { return }
    try change(vault) { state in
      state.takeOver(archive.facts, losing: inventory.absent)
      if state.inventory?.archive == inventory.archive { state.inventory?.takeOver() }
    }
  }
}

extension VaultState {
  /// Records a restored archive as the newest of its vault.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - manifest: its manifest.
  ///   - found: what it has; nil if parts of it cannot be read, so that they are not compared with the next one.
  ///   - own: this machine's signing key of the vault, if it has one.
  ///   - archives: the vault's archives.
  package mutating func `continue`(
    from archive: any UnlockedArchive, _ manifest: Manifest, _ found: Inventory?,
    signing own: Set<Ed25519.PublicKey>, among archives: [StoredArchive]
  ) {
    // A machine with archives of its own keeps its place beside the one whose archive it restored.
    let isSuccessor = sources == nil
    known = VaultState.Link(sequence: archive.facts.sequence, digest: archive.digest)
    intent = nil
    // Counts from another machine are no reference for this one.
    (counts, content, placedFiles) = (nil, nil, nil)
    missing = manifest.missing
    remember(manifest.findings)
    if let found {
      inventory = found.claimed(by: own, among: archives).following(inventory)
      // What it has is here now, and what it lacks is this machine's to bring back.
      if isSuccessor {
        inventory = inventory?.claimed(by: own.union([archive.facts.signer].compactMap(\.self)))
      }
    }
    if isSuccessor { takeOver(archive.facts, losing: manifest.losses) }
  }

  /// Takes the place of the machine that made an archive, unless an owner gave something up there.
  mutating func takeOver(_ archive: HeaderFacts, losing losses: [Absence]) {
    guard let signer = archive.signer, !losses.contains(where: \.isAccepted) else { return }
    tookOver.merge([signer.hex: archive.sequence], uniquingKeysWith: max)
  }
}

/// The passphrase of an app's archives, which is wiped from memory when its last use ends.
public struct VaultPassphrase: ~Copyable, Sendable {
  fileprivate let secret: SharedSecret

  /// Normalises a passphrase as the user typed it.
  ///
  /// - Parameter utf8: UTF-8 without a line end, 1…1024 bytes once normalised; the caller must wipe them.
  /// - Throws: ``CryptoError/invalidPassphrase(_:)``, or another ``CryptoError`` if memory cannot be allocated.
  public init(utf8: Span<UInt8>) throws(CryptoError) {
    let typed = try SecretBytes(copying: utf8)
    let normalised = try Passphrase(normalising: typed)
    secret = SharedSecret(try normalised.bytes.copy(0..<normalised.bytes.count))
  }
}

extension NewSlot {
  /// Creates a slot that opens all scopes with a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase.
  ///   - cost: the cost of Argon2id, within ``Limits``; checked when an archive is written.
  /// - Returns: a request, with nothing derived yet.
  public static func passphrase(
    _ passphrase: borrowing VaultPassphrase, cost: Argon2id.Cost = .standard
  ) -> NewSlot {
    .passphrase(passphrase.secret, cost: cost)
  }
}

extension UnlockingSecrets {
  /// Returns secrets with one passphrase.
  public static func passphrase(_ passphrase: borrowing VaultPassphrase) -> UnlockingSecrets {
    UnlockingSecrets(passphrases: [passphrase.secret])
  }
}
