public import FuekiArchive
public import FuekiCrypto

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
  public func accept(_ accepted: VaultState, of vault: VaultID) throws {
    try keep(directory.vault(vault).accepting(accepted), of: vault)
  }
}
