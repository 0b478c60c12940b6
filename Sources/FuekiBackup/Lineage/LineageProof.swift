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
  private func contents(of mine: [StoredArchive]) throws -> VaultState? {
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

  /// The facts that a key of this machine proves; nil if it signed none of the archives.
  static func own(_ key: Ed25519.PublicKey, among archives: [StoredArchive]) -> VaultState? {
    guard archives.contains(where: { $0.isSigned(byOneOf: [key]) }) else { return nil }
    var state = VaultState()
    state.accept(signers: [key])
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
