internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet

/// Proves whose the archives of a vault are, with the passphrase or by asking about the signer.
struct LineageProof {
  /// Returns the secrets that may open the archives; nil without any.
  let secrets: () throws -> UnlockingSecrets?
  /// The time for trying them.
  var budget = TrialBudget()
  /// Asks the user whether the signer of an archive is the vault's; false without a user.
  let asks: (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool

  /// An archive that proves its signers, and the facts that it proves.
  struct Proven {
    let archive: StoredArchive
    let state: VaultState
  }

  /// Recognizes a vault of which this machine knows no archive.
  ///
  /// The newest archive that is then the user's is opened, so that a lost state does not lose its inventory.
  ///
  /// - Parameters:
  ///   - archives: the vault's archives, newest first.
  ///   - trust: the trusted signers.
  ///   - mayDoubt: whether to look for a newer archive of an unknown owner. If not, the vault is likely another
  ///     machine's, and few are tried.
  /// - Returns: the state to remember; nil if nothing is learned.
  /// - Throws: ``LineageError/inDoubt(sequence:signer:)`` for a newer archive that the passphrase opens and whose owner is
  ///   unknown, unless the user confirms its signer; ``LineageError/untried(_:tried:)``; errors from reading the archives, requesting the secret and asking.
  func recognized(
    _ archives: [StoredArchive], trust: Trust, mayDoubt: Bool = true
  ) throws -> VaultState? {
    guard let vault = archives.first?.facts.vaultID else { return nil }
    let proven = try proven(
      archives, of: archives, atMost: mayDoubt ? .max : SignerLearning.mostTried)
    var (trust, learned) = (trust, proven?.state)
    if let learned { try trust.accept(learned, of: vault) }
    var ownerships = try Ownerships(of: archives, trust: trust)
    let newest = archives.first { ownerships[$0] == .mine }
    if mayDoubt,
      let doubt = try SignerLearning.doubtful(
        archives, after: newest?.facts.sequence, ownerships, with: try secrets(), budget)
    {
      guard let asked = try asked(about: [doubt.opened].compactMap(\.self)) else { throw doubt.error }
      learned = learned?.accepting(asked) ?? asked
      try trust.accept(asked, of: vault)
      ownerships = try Ownerships(of: archives, trust: trust)
    }
    let mine = archives.filter { ownerships[$0] == .mine }
    guard let first = mine.first else {
      return try asked(about: archives.filter { ownerships[$0] == .unknown })
    }
    // That archive was opened already.
    guard first.statedDigest != proven?.archive.statedDigest, let state = try contents(of: mine) else {
      return learned
    }
    return state.acceptingSigners(of: learned)
  }

  /// Learns the things of worth from the newest of the user's archives that a secret opens.
  func contents(of mine: [StoredArchive]) throws -> VaultState? {
    guard let secrets = try self.secrets() else { return nil }
    let acceptance = SignerAcceptance(secrets: secrets, budget, asking: asks)
    for archive in mine.prefix(SignerLearning.mostTried) {
      guard let open = acceptance.openedIfAny(archive) else { continue }
      var state = VaultState()
      state.learn(contentsOf: open)
      return state
    }
    return nil
  }

  /// Learns the signers and the things of worth from the newest archive whose only slot is the given passphrase.
  ///
  /// - Parameters:
  ///   - archives: the archives to open, newest first. One that does not open costs one derivation.
  ///   - vault: the vault's archives, which may contradict it.
  ///   - most: the most that are tried.
  /// - Returns: nil if none opens, or others contradict it.
  /// - Throws: errors from reading the archives and requesting the secret.
  func proven(
    _ archives: [StoredArchive], of vault: [StoredArchive], atMost most: Int = .max
  ) throws -> Proven? {
    let candidates = archives.filter(SignerLearning.hasOnlyPassphrase)
    guard !candidates.isEmpty, let secrets = try self.secrets() else { return nil }
    let acceptance = SignerAcceptance(secrets: secrets, budget, asking: asks)
    guard let (archive, open) = try acceptance.newestOpened(of: candidates, atMost: most) else { return nil }
    let siblings = vault.filter { $0.statedDigest != archive.statedDigest }
    guard
      let learned = try SignerLearning(
        from: open, others: siblings, budget: budget, open: acceptance.openedIfAny)
    else { return nil }
    var state = VaultState()
    state.accept(learned)
    state.learn(contentsOf: open)
    return Proven(archive: archive, state: state)
  }

  /// The facts that keys of this machine prove; nil if they signed none of the archives.
  static func own(_ keys: Set<Ed25519.PublicKey>, among archives: [StoredArchive]) -> VaultState? {
    let signers = keys.filter { key in archives.contains { $0.isSigned(byOneOf: [key]) } }
    guard !signers.isEmpty else { return nil }
    var state = VaultState()
    state.accept(signers: signers)
    return state
  }

  /// Asks the user about the signer of the newest signed archive.
  func asked(about archives: [StoredArchive]) throws -> VaultState? {
    for archive in archives {
      guard let signer = archive.facts.signer, archive.isSigned(byOneOf: [signer]) else { continue }
      guard try asks(signer, archive.facts) else { return nil }
      var state = VaultState()
      state.accept(signers: [signer])
      return state
    }
    return nil
  }

  /// Returns the archives with plausible numbers, newest first.
  static func newestFirst(_ archives: [StoredArchive]) -> [StoredArchive] {
    archives.filter { VaultLineage.isPlausible($0.facts.sequence, after: nil) }
      .sorted { $0.facts.sequence > $1.facts.sequence }
  }
}

extension BackupRun {
  /// Accepts the signers of a vault's archives, proved by an archive that the passphrase opens, or confirmed by the
  /// user.
  ///
  /// - Throws: ``LineageError/notMine(sequence:_:)`` without proof or confirmation,
  ///   ``LineageError/inDoubt(sequence:signer:)``, and ``LineageError/implausibleSequence(_:known:)``.
  func acceptLineage(of vaultID: VaultID, _ state: LockedState) throws {
    let found = try archivesInTargets().filter { $0.facts.vaultID == vaultID }
      .sorted { $0.facts.sequence > $1.facts.sequence }
    let trust = try answers.trust()
    let ownerships = try Ownerships(of: found, trust: trust)
    let known = try state.directory.vault(vaultID).known
    let foreign = found.filter {
      ownerships[$0] != .mine && $0.facts.sequence >= known?.sequence ?? 0
    }
    guard !foreign.isEmpty else { return }
    // There is nothing to adopt if this machine's key, all that is left of its state, signed the newest.
    let last = newestFirst(found).first?.facts.sequence
    if known == nil, try ownKey(of: vaultID, among: found.filter { $0.facts.sequence == last }) != nil {
      _ = try continueFound(NextVault(vaultID), state)
      return
    }
    // An attacker's archive with a huge number would leave the vault no numbers.
    let plausible = foreign.filter { VaultLineage.isPlausible($0.facts.sequence, after: known?.sequence) }
    let accepted =
      known == nil
      ? try proof.recognized(newestFirst(found), trust: trust) : try self.accepted(plausible, of: found)
    if let accepted {
      return try state.accept(accepted, of: vaultID, signing: answers.signing(vaultID), among: found)
    }
    // A stranger's is passed over, as where nothing is adopted.
    guard let unknown = foreign.first(where: { ownerships[$0] == .unknown }) else { return }
    throw plausible.isEmpty
      ? LineageError.implausibleSequence(unknown.facts.sequence, known: known?.sequence)
      : LineageError.notMine(sequence: unknown.facts.sequence, .unknown)
  }

  /// Continues a vault whose archives are in the targets, if this machine knows nothing of it.
  ///
  /// This machine's key, a trusted signer, the passphrase, or a person proves whose they are. Archives of unknown origin
  /// stop the run later.
  ///
  /// - Returns: the archive that the next one follows; nil if there is none, or this machine knows it.
  /// - Throws: ``LineageError/inDoubt(sequence:signer:)``, and errors from reading, saving the state and the answers.
  func continueFound(_ vault: NextVault, _ state: LockedState) throws -> VaultState.Link? {
    guard try state.directory.vault(vault.id).known == nil else { return nil }
    let found = newestFirst(try archivesInTargets().filter { $0.facts.vaultID == vault.id })
    guard !found.isEmpty else { return nil }
    if let own = try ownKey(of: vault.id, among: found) { try state.accept(own, of: vault.id) }
    if let accepted = try vault.recognized ?? proof.recognized(found, trust: try answers.trust()) {
      try state.accept(accepted, of: vault.id, signing: answers.signing(vault.id), among: found)
      if vault.isAllHere { try state.takeOver(accepted.inventory, among: found, of: vault.id) }
    }
    let ownerships = try Ownerships(of: found, trust: try answers.trust())
    guard let newest = found.first(where: { ownerships[$0] == .mine }) else { return nil }
    try report(.continues(vault.id, after: newest.facts.sequence))
    return VaultState.Link(sequence: newest.facts.sequence, digest: newest.statedDigest)
  }

  /// The facts that this machine's key proves, if it signed one of the archives.
  func ownKey(of vault: VaultID, among archives: [StoredArchive]) throws -> VaultState? {
    LineageProof.own(try answers.signing(vault).publicKeys, among: archives)
  }

  /// The newest that the passphrase opens is asked first: others may have been put above it.
  private func accepted(_ archives: [StoredArchive], of vault: [StoredArchive]) throws -> VaultState? {
    try proof.proven(archives, of: vault)?.state ?? proof.asked(about: archives)
  }

  var proof: LineageProof {
    LineageProof(secrets: answers.archiveSecrets, budget: trials, asks: answers.isOwnSigner)
  }

  /// Returns the archives with plausible numbers, newest first.
  func newestFirst(_ archives: [StoredArchive]) -> [StoredArchive] { LineageProof.newestFirst(archives) }
}
