public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The vault that a backup belongs to, as far as this machine can name it.
public struct NamedVault: Sendable {
  /// The vault of the store or the configuration, or this machine's vault for sources without a store; nil without any.
  public let id: VaultID?
  /// Whether the configuration lists it, so that it may begin next to archives of other vaults.
  public let isConfigured: Bool
  /// Whether the sources have no store, so that they can continue any vault that is proved to be theirs.
  public let isStoreless: Bool
  /// The vaults of the configuration: sources without a store continue none of them.
  public let others: Set<VaultID>
  /// The vault of this machine's store, if the store is no source.
  ///
  /// Sources without a store continue it only if its archives have nothing of a store, so that this one came out of them.
  public let store: VaultID?

  /// Creates a vault's name.
  public init(
    _ id: VaultID?, isConfigured: Bool, isStoreless: Bool, others: Set<VaultID> = [], store: VaultID? = nil
  ) {
    (self.id, self.isConfigured, self.isStoreless) = (id, isConfigured, isStoreless)
    (self.others, self.store) = (others, store)
  }
}

/// The vault that the next archive belongs to.
public struct NextVault: Sendable {
  /// The vault's id.
  public let id: VaultID
  /// The facts that its archives proved during the search; nil if nothing had to be proved.
  let recognized: VaultState?

  /// A vault that is known by its id.
  public init(_ id: VaultID) { self.init(id, recognized: nil) }

  init(_ id: VaultID, recognized: VaultState?) { (self.id, self.recognized) = (id, recognized) }
}

extension BackupRun {
  /// Finds the vault that the next archive belongs to, so that a lost state begins no second one.
  ///
  /// A machine that knows nothing of the vault looks for its archives in the targets. Sources without a store continue the
  /// one vault there whose newest archive the passphrase opens, or a trusted signer signed.
  ///
  /// - Parameters:
  ///   - named: the vault, as far as this machine can name it.
  ///   - state: what this machine remembers.
  ///   - mayBegin: whether a second vault may begin next to the archives of others; is asked only if there are some, and
  ///     the configuration does not list the vault.
  /// - Returns: the vault.
  /// - Throws: ``LineageError/secondVault(others:)`` if it may not; what reading and the closures throw.
  public func vault(
    _ named: NamedVault, state: LockedState, mayBegin: (_ others: [VaultID]) throws -> Bool
  ) throws -> NextVault {
    if let id = named.id {
      let isKnown = try !state.directory.vault(id).isEmpty
      if isKnown || named.isConfigured { return NextVault(id) }
    }
    let found = try archivesInTargets()
    if let id = named.id, found.contains(where: { $0.facts.vaultID == id }) {
      return NextVault(id)
    }
    let ownerships = try Ownerships(of: found, trust: try answers.trust())
    let others = Dictionary(grouping: found.filter { ownerships[$0] != .stranger }, by: \.facts.vaultID)
    let candidates =
      named.isStoreless ? try candidates(among: others, ownerships, named, state) : []
    let only = candidates.count == 1 ? candidates.first : nil
    if case .proven(let vault)? = only {
      try state.keepStoreless(vault.id)
      return vault
    }
    let ids = others.keys.sorted()
    let isAlone = ids.isEmpty || named.isConfigured
    guard try isAlone || mayBegin(ids) else {
      if case .doubtful(let doubt)? = only { throw doubt }
      throw LineageError.secondVault(others: ids.map(\.hex))
    }
    return NextVault(try named.id ?? state.storelessVaultID())
  }

  /// The archives in the targets that answer, of all vaults.
  func archivesInTargets() throws -> [StoredArchive] {
    let found = targets.flatMap { (try? $0.entries()) ?? [] }.compactMap(\.archive)
    guard !Interruption.wasRequested else { throw Interrupted() }
    return found
  }

  /// A vault that sources without a store may continue.
  private enum Candidate {
    /// It is proved to be the user's.
    case proven(NextVault)
    /// It would be, without a newer archive of an unknown owner.
    case doubtful(LineageError)
  }

  private func candidates(
    among vaults: [VaultID: [StoredArchive]], _ ownerships: Ownerships, _ named: NamedVault,
    _ state: LockedState
  ) throws -> [Candidate] {
    let trust = try answers.trust()
    let proof = LineageProof(secrets: answers.archiveSecrets, budget: trials) { _, _ in false }
    return try vaults.compactMap { id, archives in
      guard try !named.others.contains(id) && state.directory.vault(id).known == nil else { return nil }
      do {
        if id != named.store, archives.contains(where: { ownerships[$0] == .mine }) {
          return .proven(NextVault(id))
        }
        var recognized = try proof.recognized(newestFirst(archives), trust: trust)
        guard id != named.store || recognized?.isStoreless == true else { return nil }
        // The store's secrets came out of these archives.
        if id == named.store { recognized?.handsOnSecrets = true }
        return recognized.map { .proven(NextVault(id, recognized: $0)) }
      } catch let doubt as LineageError {
        return .doubtful(doubt)
      }
    }
  }
}
