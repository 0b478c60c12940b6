public import FuekiArchive
public import FuekiCrypto
internal import FuekiWallet

/// A vault in the targets that this machine's state did not know, as after the state was lost.
public struct RecognizedVault: Sendable {
  /// The vault.
  public let id: VaultID
  /// The facts to remember of it.
  public let accepted: VaultState
  /// The number of its newest archive that is the user's.
  public let newest: UInt64
}

/// Recognizes the user's vaults in the targets after this machine's state was lost, as `create` does.
public struct VaultRecognition {
  private let proof: LineageProof

  /// - Parameters:
  ///   - secrets: returns the secrets that may open the archives; nil without any.
  ///   - asks: asks the user whether the signer of an archive is the vault's; false without a user.
  public init(
    secrets: @escaping () throws -> UnlockingSecrets?,
    asking asks: @escaping (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool
  ) {
    proof = LineageProof(secrets: secrets, asks: asks)
  }

  /// Finds the vaults that a secret or the user proves.
  ///
  /// A vault of which this machine made or restored an archive is not among them.
  ///
  /// - Parameters:
  ///   - archives: the archives in the targets.
  ///   - vault: the only vault to look at; nil for all.
  ///   - state: this machine's state.
  ///   - trust: the trusted signers.
  /// - Returns: the vaults, by their ids.
  /// - Throws: errors from reading the state and the archives, requesting the secret and asking.
  public func find(
    among archives: [StoredArchive], vault: VaultID?, unknownTo state: StateDirectory, _ trust: Trust
  ) throws -> [RecognizedVault] {
    let vaults = Dictionary(grouping: archives, by: \.facts.vaultID).sorted { $0.key < $1.key }
    return try vaults.compactMap { id, group -> RecognizedVault? in
      guard vault == nil || vault == id else { return nil }
      let remembered = try state.vault(id)
      guard remembered.known == nil, remembered.inventory == nil,
        let accepted = try proof.recognized(LineageProof.newestFirst(group), trust: trust)
      else { return nil }
      var trust = trust
      trust.remember(remembered.accepting(accepted), of: id)
      let ownerships = try Ownerships(of: group, trust: trust)
      let newest = group.filter { ownerships[$0] == .mine }.map(\.facts.sequence).max()
      return newest.map { RecognizedVault(id: id, accepted: accepted, newest: $0) }
    }
  }
}

extension VaultState {
  private static let store = "store"

  /// Remembers the things of worth in an open archive, and whether the store's secrets are among them.
  ///
  /// An archive whose records cannot be read is not compared with the next one.
  public mutating func learn(contentsOf open: OpenArchive) {
    guard let manifest = try? open.decodedManifest()?.manifest else { return }
    inventory = try? open.inventory(manifest)
    // No source has them: they are in the store and in the archive only, so the next one must have them too.
    let isHandedOn = manifest.sources.contains { source in
      source.name == Self.store
        && Section.allCases.contains { $0.leavesOnRequest && source.records(in: $0) > 0 }
    }
    if isHandedOn { handsOnSecrets = true }
  }

  /// The same, with the accepted facts of an archive in the targets.
  public func accepting(_ accepted: VaultState) -> VaultState {
    var state = self
    state.accept(signers: accepted.signerKeys)
    state.accept(unsigned: (accepted.unsigned ?? []).compactMap(Digest.init(hex:)))
    if let inventory = accepted.inventory { state.inventory = inventory.following(state.inventory) }
    // A machine that has the vault's state knows where its store's secrets came from.
    if known == nil, accepted.handsOnSecrets == true { state.handsOnSecrets = true }
    return state
  }
}
