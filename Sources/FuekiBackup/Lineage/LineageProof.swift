internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet

/// Proves whose the archives of a vault are, with the passphrase or by asking about the signer.
struct LineageProof {
  /// Returns the secrets that may open the archives; nil without any.
  let secrets: () throws -> UnlockingSecrets?
  /// Asks the user whether the signer of an archive is the vault's; false without a user.
  let asks: (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool

  /// Recognizes a vault that this machine's state does not know.
  ///
  /// Archives that are already the user's are opened too, so that a lost state does not lose their inventory.
  ///
  /// - Parameters:
  ///   - archives: the vault's archives, newest first.
  ///   - trust: the trusted signers.
  /// - Returns: the state to remember; nil if nothing is learned.
  /// - Throws: errors from reading the archives, requesting the secret and asking.
  func recognized(_ archives: [StoredArchive], trust: Trust) throws -> VaultState? {
    if let proven = try proven(archives, of: archives, trust: trust) { return proven }
    let ownerships = try Ownerships(of: archives, trust: trust)
    let mine = archives.filter { ownerships[$0] == .mine }
    return try mine.isEmpty
      ? asked(about: archives.filter { ownerships[$0] == .unknown }) : contents(of: mine)
  }

  /// Learns the things of worth from the newest of the user's archives that a secret opens.
  private func contents(of mine: [StoredArchive]) throws -> VaultState? {
    guard let secrets = try self.secrets() else { return nil }
    let acceptance = SignerAcceptance(secrets: secrets, asking: asks)
    for archive in mine.prefix(SignerLearning.mostTried) {
      guard (try? archive.opens(with: secrets)) ?? false, let open = acceptance.opened(archive) else {
        continue
      }
      var state = VaultState()
      state.learn(contentsOf: open)
      return state
    }
    return nil
  }

  /// Learns the signers from the newest archive whose only slot is the given passphrase.
  ///
  /// The things of worth are those of the newest archive that these signers prove.
  ///
  /// - Parameters:
  ///   - archives: the archives to open, newest first. One that does not open costs one derivation.
  ///   - vault: the vault's archives, which may contradict it.
  ///   - trust: the trusted signers.
  /// - Returns: nil if none opens, or others contradict it: they have other signers, or this machine knows no archive of
  ///   the vault, and the passphrase also opens a newer one of an unknown owner. A holder of its other keys may have
  ///   made it, or the user before the state was lost, and then the history would fork.
  /// - Throws: errors from reading the archives and requesting the secret.
  func proven(
    _ archives: [StoredArchive], of vault: [StoredArchive], trust: Trust
  ) throws -> VaultState? {
    let candidates = archives.filter(SignerLearning.hasOnlyPassphrase).prefix(SignerLearning.mostTried)
    guard !candidates.isEmpty, let secrets = try self.secrets() else { return nil }
    let acceptance = SignerAcceptance(secrets: secrets, asking: asks)
    for archive in candidates {
      // Before every byte is read, from a remote too.
      guard (try? archive.opens(with: secrets)) ?? false, let open = acceptance.opened(archive) else {
        continue
      }
      let siblings = vault.filter { $0.statedDigest != archive.statedDigest }
      guard let learned = try SignerLearning(from: open, others: siblings, open: acceptance.opened) else {
        return nil
      }
      var trust = trust
      trust.everywhere.formUnion(learned.signers)
      let ownerships = try Ownerships(of: vault, trust: trust)
      let newer = Self.newestFirst(vault).filter { $0.facts.sequence > archive.facts.sequence }
      let isKnown = try trust.known(of: archive.facts.vaultID) != nil
      let unowned = isKnown ? [] : newer.filter { ownerships[$0] != .mine }
      guard
        !unowned.prefix(SignerLearning.mostTried).contains(where: { (try? $0.opens(with: secrets)) ?? false })
      else { return nil }
      var state = VaultState()
      state.learn(contentsOf: open)
      state = try contents(of: newer.filter { ownerships[$0] == .mine }) ?? state
      state.accept(learned)
      return state
    }
    return nil
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
