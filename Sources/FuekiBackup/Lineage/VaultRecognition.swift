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
  /// Whether this machine may make its backups: it knows no vault, or the configuration names this one.
  public let mayBeOwn: Bool
}

/// The vaults that were recognized, and those that an archive of an unknown owner keeps in doubt.
public struct RecognizedVaults: Sendable {
  /// The recognized vaults, by their ids.
  public internal(set) var proven: [RecognizedVault] = []
  /// Why the others are not recognized.
  public internal(set) var doubts: [VaultID: LineageError] = [:]

  /// None yet.
  public init() {}
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
  ///   - own: the configured vaults. If this machine knows vaults already, only these can be in doubt: others in a common
  ///     target are other machines'.
  ///   - state: this machine's state.
  ///   - trust: the trusted signers.
  /// - Returns: the vaults.
  /// - Throws: errors from reading the state and the archives, requesting the secret and asking.
  public func find(
    among archives: [StoredArchive], vault: VaultID?, own: [VaultID], unknownTo state: StateDirectory,
    _ trust: Trust
  ) throws -> RecognizedVaults {
    let isLost = state.vaults().values.allSatisfy { (try? $0.get().known) == nil }
    var found = RecognizedVaults()
    var unproven: [(id: VaultID, newest: UInt64)] = []
    let vaults = Dictionary(grouping: archives, by: \.facts.vaultID).sorted {
      // These are worth the time before others.
      let (first, second) = (own.contains($0.key), own.contains($1.key))
      return first == second ? $0.key < $1.key : first
    }
    for (id, group) in vaults where vault == nil || vault == id {
      let remembered = try state.vault(id)
      guard remembered.known == nil, remembered.inventory == nil else { continue }
      // The key that this machine made for the vault, where only the rest of the state was lost.
      let ofKey = LineageProof.own(state.ownKeys(of: id), among: group)
      var trust = trust
      if let ofKey { try trust.accept(ofKey, of: id) }
      do {
        let recognized = try proof.recognized(
          LineageProof.newestFirst(group), trust: trust, mayDoubt: isLost || own.contains(id))
        guard let accepted = recognized?.acceptingSigners(of: ofKey) ?? ofKey else {
          let ownerships = try Ownerships(of: group, trust: trust)
          if group.allSatisfy({ ownerships[$0] == .unknown }) {
            unproven.append((id, LineageProof.newestFirst(group).first?.facts.sequence ?? 0))
          }
          continue
        }
        trust.remember(remembered.accepting(accepted), of: id)
        let ownerships = try Ownerships(of: group, trust: trust)
        if let newest = group.filter({ ownerships[$0] == .mine }).map(\.facts.sequence).max() {
          found.proven.append(
            RecognizedVault(
              id: id, accepted: accepted, newest: newest, mayBeOwn: isLost || own.contains(id)))
        }
      } catch let doubt as LineageError {
        found.doubts[id] = doubt
      }
    }
    guard isLost, !unproven.isEmpty, try proof.secrets() != nil else { return found }
    for (id, newest) in unproven where own.contains(id) {
      found.doubts[id] = .unknownLineage(sequence: newest)
    }
    if own.isEmpty, found.proven.isEmpty, found.doubts.isEmpty {
      let doubt = LineageError.secondVault(others: unproven.map(\.id.hex))
      found.doubts = Dictionary(uniqueKeysWithValues: unproven.map { ($0.id, doubt) })
    }
    return found
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
    device = manifest.device
    // No source has them: they are in the store and in the archive only, so the next one must have them too.
    let isHandedOn = manifest.sources.contains { source in
      source.name == Self.store
        && Section.allCases.contains { $0.leavesOnRequest && source.records(in: $0) > 0 }
    }
    if isHandedOn { handsOnSecrets = true }
    if !manifest.sources.contains(where: { $0.name == Self.store }) { isStoreless = true }
  }

  /// The same, with the accepted signers and unsigned archives.
  func acceptingSigners(of accepted: VaultState?) -> VaultState {
    var state = self
    state.accept(signers: accepted?.signerKeys ?? [])
    state.accept(unsigned: accepted?.unsignedDigests ?? [])
    return state
  }

  /// The same, with the accepted facts of an archive in the targets.
  public func accepting(_ accepted: VaultState) -> VaultState {
    var state = acceptingSigners(of: accepted)
    if let inventory = accepted.inventory { state.inventory = inventory.following(state.inventory) }
    // A machine that has the vault's state knows where its store's secrets came from.
    if known == nil, accepted.handsOnSecrets { state.handsOnSecrets = true }
    return state
  }
}
