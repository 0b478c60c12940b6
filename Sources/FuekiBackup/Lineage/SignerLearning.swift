internal import FoundationEssentials
internal import FuekiWallet
public import FuekiArchive
public import FuekiCrypto

/// The facts about its maker that an archive opened with a passphrase proves.
///
/// Anyone who has a recipient's public key can make an archive that its owner opens. An archive whose only slot is a
/// passphrase was made by a person who knows that passphrase, so its signers can be learned without asking.
public struct SignerLearning: Equatable, Sendable {
  /// The signers that the archive names.
  public let signers: Set<Ed25519.PublicKey>
  /// The archive itself, if it is unsigned.
  public let unsigned: Digest?

  /// So many of a vault's archives are opened and asked, where more would show no more.
  public static let mostTried = 8

  /// Learns from an open archive; nil if it proves nothing, or another one has other signers.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - others: the vault's other archives, newest first; at most ``mostTried`` in all are opened. An archive with
  ///     fewer signers contradicts nothing, because the vault may have gained signers since.
  ///   - budget: the time for opening them.
  ///   - open: opens an archive with the same secret; nil if it does not open.
  /// - Throws: errors from `open` and from reading.
  public init?(
    from archive: OpenArchive, others: [StoredArchive], budget: TrialBudget = TrialBudget(),
    open: (StoredArchive) throws -> OpenArchive?
  ) throws {
    guard let named = try Self.named(by: archive) else { return nil }
    var count = 1
    for other in others where other.provenDigest != archive.digest && Self.hasOnlyPassphrase(other) {
      guard count < Self.mostTried, budget.mayTry(other.kibibytesPerTry) else { break }
      guard let opened = try open(other), let names = try Self.named(by: opened) else { continue }
      count += 1
      let isNewer = other.facts.sequence > archive.facts.sequence
      guard isNewer ? names.isSuperset(of: named) : names.isSubset(of: named) else { return nil }
    }
    signers = named
    unsigned = archive.facts.signer == nil ? archive.digest : nil
  }

  /// Whether a passphrase is all that opens an archive.
  public static func hasOnlyPassphrase(_ archive: StoredArchive) -> Bool {
    guard archive.slots.count == 1, let slot = archive.slots.first else { return false }
    return slot.isPassphrase
  }

  /// Finds the newest archive that a passphrase opens, that has other slots, and whose owner is unknown.
  ///
  /// The user may have made it before the state was lost, or a holder of its other keys. If the next archive did not
  /// follow it, the history would fork.
  ///
  /// - Parameters:
  ///   - archives: the vault's archives, newest first.
  ///   - sequence: the number of the newest archive that is the user's; only newer ones count.
  ///   - ownerships: their owners.
  ///   - secrets: the passphrase; nil without any.
  ///   - budget: the time for trying it.
  /// - Returns: the archive, or those for which the time was too short, so that planted archives hide no fork; nil if there
  ///   is none.
  /// - Throws: ``ArchiveError/outOfMemory``.
  package static func doubtful(
    _ archives: [StoredArchive], after sequence: UInt64?, _ ownerships: Ownerships,
    with secrets: UnlockingSecrets?, _ budget: TrialBudget
  ) throws(ArchiveError) -> ArchiveDoubt? {
    guard let secrets else { return nil }
    let candidates = archives.filter { archive in
      archive.facts.sequence > sequence ?? 0 && ownerships[archive] != .mine
        && archive.slots.contains(where: \.isPassphrase) && !hasOnlyPassphrase(archive)
    }
    let trial = ArchiveTrial(secrets, budget, costsOf: archives.filter { ownerships[$0] == .mine })
    return ArchiveDoubt(try trial.newest(of: candidates))
  }

  /// The signers in the manifest, or in an earlier version's header; nil if they prove nothing.
  private static func named(by archive: OpenArchive) throws -> Set<Ed25519.PublicKey>? {
    guard hasOnlyPassphrase(archive.source.source), let manifest = try archive.decodedManifest()?.manifest
    else { return nil }
    let keys = manifest.signers.compactMap { Ed25519.PublicKey(bytes: [UInt8]($0)) }
    return Set(keys).union([archive.facts.signer].compactMap(\.self))
  }
}

extension SlotSummary {
  fileprivate var isPassphrase: Bool { type == .passphrase || type == .passphraseAndKeyFile }
}

extension VaultState {
  /// Accepts the learned facts: the signers are the vault's, and an unsigned archive is the user's.
  public mutating func accept(_ learned: SignerLearning) {
    accept(signers: learned.signers)
    accept(unsigned: [learned.unsigned].compactMap(\.self))
  }
}

/// Archives that may be the user's, so that the vault is in doubt.
package struct ArchiveDoubt {
  /// The newest that a secret opens.
  package let opened: StoredArchive?
  /// How many were tried.
  let tried: Int
  /// Those for which the time was too short.
  package let untried: [StoredArchive]

  /// Nil if none opens, and all were tried.
  init?(_ outcome: ArchiveTrial.Outcome) {
    guard outcome.opened != nil || !outcome.untried.isEmpty else { return nil }
    (opened, tried, untried) = (outcome.opened, outcome.tried, outcome.untried)
  }

  /// What is reported.
  package var error: LineageError {
    if let opened { return .inDoubt(sequence: opened.facts.sequence, signer: opened.facts.signer) }
    return .untried(untried.map { $0.path ?? $0.statedDigest.shortID }, tried: tried)
  }
}

/// Learns the signers of a vault that is unknown to a machine.
public struct SignerAcceptance {
  /// The secrets that opened the archive, to try on the vault's others.
  public let secrets: UnlockingSecrets
  private let budget: TrialBudget
  private let asks: (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool

  /// - Parameters:
  ///   - secrets: opened the archive, and are tried on the vault's others.
  ///   - budget: the time for trying them.
  ///   - asks: asks the user whether the signer of an archive is the vault's; false without a user.
  public init(
    secrets: UnlockingSecrets, _ budget: TrialBudget = TrialBudget(),
    asking asks: @escaping (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool
  ) {
    self.secrets = secrets
    self.budget = budget
    self.asks = asks
  }

  /// The facts that an archive proves of its vault, and a newer archive that keeps the vault in doubt.
  public struct Accepted: Sendable {
    /// The state to remember of the vault.
    public let state: VaultState
    /// A newer archive of an unknown owner, which hides if this one is remembered as the newest:
    /// ``LineageError/inDoubt(sequence:signer:)``.
    public let doubt: LineageError?
  }

  /// Returns an open archive's own proof, or the user's confirmation; nil without either.
  ///
  /// - Parameters:
  ///   - archive: the archive, open.
  ///   - siblings: the vault's other archives, newest first.
  /// - Returns: the facts to remember, and the doubt.
  /// - Throws: errors from reading the archives and asking, and ``ArchiveError/outOfMemory``.
  public func accept(_ archive: OpenArchive, siblings: [StoredArchive]) throws -> Accepted? {
    guard let state = try proof(of: archive, siblings: siblings) else { return nil }
    let stored = archive.source.source
    return Accepted(state: state, doubt: try doubt(after: stored, accepting: state, siblings: siblings))
  }

  private func proof(of archive: OpenArchive, siblings: [StoredArchive]) throws -> VaultState? {
    var state = VaultState()
    if let learned = try SignerLearning(from: archive, others: siblings, budget: budget, open: openedIfAny) {
      state.accept(learned)
      return state
    }
    guard let signer = archive.facts.signer, try asks(signer, archive.facts) else { return nil }
    state.accept(signers: [signer])
    return state
  }

  private func doubt(
    after archive: StoredArchive, accepting accepted: VaultState, siblings: [StoredArchive]
  ) throws -> LineageError? {
    var trust = Trust()
    try trust.accept(accepted, of: archive.facts.vaultID)
    let all = LineageProof.newestFirst([archive] + siblings)
    let ownerships = try Ownerships(of: all, trust: trust)
    let newest = all.first { ownerships[$0] == .mine } ?? archive
    return try SignerLearning.doubtful(
      all, after: newest.facts.sequence, ownerships, with: secrets, budget)?.error
  }

  /// The same as ``opened(_:)``, without reading what does not open, which costs one derivation more.
  func openedIfAny(_ archive: StoredArchive) -> OpenArchive? {
    (try? archive.opens(with: secrets)) == true ? opened(archive) : nil
  }

  /// Finds the newest of the vault's archives that the secrets open, whole, in the time that there is.
  ///
  /// - Parameters:
  ///   - archives: the archives, newest first.
  ///   - most: the most that are tried.
  /// - Returns: nil if none opens.
  /// - Throws: ``ArchiveError/outOfMemory``.
  package func newestOpened(
    of archives: [StoredArchive], atMost most: Int = .max
  ) throws(ArchiveError) -> (archive: StoredArchive, open: OpenArchive)? {
    var open: OpenArchive?
    let outcome = try ArchiveTrial(secrets, budget).newest(of: archives, atMost: most) { archive in
      guard let found = opened(archive) else { return false }
      open = found
      return true
    }
    guard let archive = outcome.opened, let open else { return nil }
    return (archive, open)
  }

  /// One of the vault's other archives, where the secret opens it.
  ///
  /// Anybody can have put it there: whatever is wrong with it, it says nothing, and stops nothing.
  public func opened(_ archive: StoredArchive) -> OpenArchive? {
    guard let intact = try? archive.verify().intact else { return nil }
    // The trusted signers are in the profile, which needs no base.
    return try? intact.unlockAlone(with: secrets).withoutHistory()
  }
}

extension LockedState {
  /// Remembers the accepted facts of a vault, in addition to the known ones.
  ///
  /// - Parameters:
  ///   - accepted: the facts.
  ///   - vault: the vault.
  ///   - signing: the signer of this machine's archives; its key in this state counts without.
  ///   - archives: the vault's archives.
  /// - Throws: ``StateError``, and `SystemError` if the state cannot be read or written.
  public func accept(
    _ accepted: VaultState, of vault: VaultID, signing: ArchiveSigning = .nobody,
    among archives: [StoredArchive] = []
  ) throws {
    var accepted = accepted
    // An older state was put back: the newer archive is this machine's own.
    let own = signing.publicKeys.union(directory.ownKeys(of: vault))
    let known = try directory.vault(vault)
    accepted.inventory = accepted.inventory?.claimed(by: own, known.tookOver, among: archives)
    try keep(known.accepting(accepted), of: vault)
  }
}
