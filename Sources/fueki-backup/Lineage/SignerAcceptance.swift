internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// How a machine that knows nothing of a vault comes to know whose archives are its own.
struct SignerAcceptance {
  /// What opened the archive, and is tried on the vault's others.
  let secrets: UnlockingSecrets

  /// What an archive that is open proves by itself, or a person says yes to; nil where neither.
  ///
  /// - Parameters:
  ///   - archive: the archive, open.
  ///   - siblings: the vault's other archives, newest first.
  /// - Returns: what is to be remembered of the vault.
  /// - Throws: what reading the archives and asking throw.
  func accept(_ archive: OpenArchive, siblings: [StoredArchive]) throws -> VaultState? {
    var state = VaultState()
    if let learned = try SignerLearning(from: archive, others: siblings, open: opened) {
      state.accept(learned)
      return state
    }
    guard let signer = archive.facts.signer, try Self.asks(about: signer, of: archive.facts) else {
      return nil
    }
    state.accept(signers: [signer])
    return state
  }

  /// One of the vault's other archives, where the secret opens it.
  ///
  /// Anybody can have put it there: whatever is wrong with it, it says nothing, and stops nothing.
  func opened(_ archive: StoredArchive) -> OpenArchive? {
    guard let intact = try? archive.intact() else { return nil }
    return try? intact.unlock(with: secrets)
  }

  /// Asks on the terminal whether a signer is the vault's; false where there is no terminal.
  static func asks(about signer: [UInt8], of facts: HeaderFacts) throws -> Bool {
    guard Terminal.isAvailable else { return false }
    let answer = try Terminal.readLine(
      prompt: "archive \(facts.sequence) is signed by \(Signer.fingerprint(of: signer))\n"
        + "is this the fingerprint on your recovery kit or your other machine? type yes to trust it: ")
    return answer?.lowercased() == "yes"
  }
}

extension LockedState {
  /// Remembers what was accepted of a vault, beside what was known before.
  func accept(_ accepted: VaultState, of vault: [UInt8]) throws {
    var state = try directory.vault(vault)
    state.accept(signers: accepted.signerKeys)
    state.accept(unsigned: (accepted.unsigned ?? []).compactMap(Digest.init(hex:)))
    try keep(state, of: vault)
  }
}
