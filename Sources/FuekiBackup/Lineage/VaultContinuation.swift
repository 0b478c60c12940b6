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
  /// Whether all that its newest archive has is certainly on this machine, as a comparison showed.
  var isAllHere = false
  /// The vaults of others in the targets, if this one begins beside them.
  public internal(set) var beside: [VaultID] = []

  /// A vault that is known by its id.
  public init(_ id: VaultID) { self.init(id, recognized: nil) }

  init(_ id: VaultID, recognized: VaultState?) { (self.id, self.recognized) = (id, recognized) }
}

extension BackupRun {
  /// Finds the vault that the next archive belongs to, so that a lost state begins no second one, and two machines are not
  /// taken for one.
  ///
  /// A machine continues the vault that its store, its configuration, its state or its signing key names. Sources without a
  /// store, of which this machine knows no vault, continue the one vault in the targets that only the passphrase proves, if
  /// all that its newest archive has is here. If some of it is here, they begin a vault of their own, and each backup says
  /// so until the owner chooses.
  ///
  /// - Parameters:
  ///   - named: the vault, as far as this machine can name it.
  ///   - state: what this machine remembers.
  ///   - choice: what the owner chose; nil without a choice.
  ///   - asks: asks the owner; nil leaves it open.
  /// - Returns: the vault.
  /// - Throws: ``LineageError/secondVault(others:)`` and ``LineageError/elsewhere(_:)`` where it is left open, and
  ///   ``LineageError/unknownLineage(sequence:)`` if nothing proves the chosen one; what reading and the closures throw.
  public func vault(
    _ named: NamedVault, state: LockedState, choice: VaultChoice?,
    asks: (VaultQuestion) throws -> VaultChoice?
  ) throws -> NextVault {
    if named.isStoreless, !named.isConfigured, let choice { return try chosen(choice, named, state) }
    if let id = named.id {
      let known = try state.directory.vault(id)
      if named.isStoreless, !named.isConfigured { try lookAgain(beside: known, id, named, state) }
      if !known.isEmpty || named.isConfigured { return try begun(id, named, state, choice) }
    }
    let found = try archivesInTargets()
    if let id = named.id, found.contains(where: { $0.facts.vaultID == id }) {
      return NextVault(id)
    }
    let ownerships = try Ownerships(of: found, trust: try answers.trust())
    let others = Dictionary(grouping: found.filter { ownerships[$0] != .stranger }, by: \.facts.vaultID)
    // A key that signs all of the owner's vaults makes strangers of those that another machine signs.
    let candidates =
      named.isStoreless
      ? try candidates(among: Dictionary(grouping: found, by: \.facts.vaultID), ownerships, named, state) : []
    let proven = candidates.compactMap(\.proven)
    if proven.count == 1 {
      try state.keepStoreless(proven[0].id)
      return proven[0]
    }
    if proven.isEmpty, let next = try recognized(candidates, state, asks) { return next }
    let ids = others.keys.sorted()
    if !ids.isEmpty, !named.isConfigured, choice != .new, try asks(.others(ids)) != .new {
      let doubts = candidates.compactMap(\.doubt)
      if doubts.count == 1 { throw doubts[0] }
      throw LineageError.secondVault(others: ids.map(\.hex))
    }
    return try begun(named.id ?? state.storelessVaultID(), named, state, choice)
  }

  /// Looks into targets that get the first archive of a vault of sources without a store: one that was away when the vault
  /// began may have the vault that this machine is meant to continue.
  private func lookAgain(
    beside known: VaultState, _ id: VaultID, _ named: NamedVault, _ state: LockedState
  ) throws {
    guard known.besides == nil, let places = known.places else { return }
    let new = try targets.filter { !places.has(anyIn: $0.place) }.map { try [$0].archives() }
      .filter { archives in !archives.contains { $0.facts.vaultID == id } }.flatMap(\.self)
    guard !new.isEmpty else { return }
    let ownerships = try Ownerships(of: new, trust: try answers.trust())
    let found = try candidates(
      among: Dictionary(grouping: new, by: \.facts.vaultID), ownerships, named, state
    ).compactMap { $0.proven ?? $0.recognized }
    guard !found.isEmpty, let meant = try presences(of: found).first(where: { $0.presence != .none })
    else { return }
    try state.change(id) { $0.besides = meant.next.id.hex }
  }

  /// The archives in the targets that answer, of all vaults.
  func archivesInTargets() throws -> [StoredArchive] { try targets.archives() }

  /// A vault that is named, with those beside which it begins.
  ///
  /// A machine with a new configuration and a new passphrase would begin a second vault, and nobody would notice.
  private func begun(
    _ id: VaultID, _ named: NamedVault, _ state: LockedState, _ choice: VaultChoice?
  ) throws -> NextVault {
    var next = NextVault(id)
    guard named.isConfigured, choice == nil, try state.directory.vault(id).isEmpty else { return next }
    let found = try archivesInTargets()
    guard !found.contains(where: { $0.facts.vaultID == id }) else { return next }
    let trust = try answers.trust()
    let ownerships = try Ownerships(of: found, trust: trust)
    let others = Dictionary(grouping: found.filter { ownerships[$0] != .stranger }, by: \.facts.vaultID)
    // What the passphrase opens was asked about, or its id says that it is another.
    next.beside = try others.sorted { $0.key < $1.key }.filter { other, archives in
      guard !named.others.contains(other), try state.directory.vault(other).isEmpty else { return false }
      return try proof.recognized(newestFirst(archives), trust: trust, mayDoubt: false) == nil
    }.map(\.key)
    return next
  }

  /// The vault that the owner chose.
  private func chosen(
    _ choice: VaultChoice, _ named: NamedVault, _ state: LockedState
  ) throws -> NextVault {
    switch choice {
    case .existing(let id):
      var next = NextVault(id)
      if try state.directory.vault(id).known == nil {
        let trust = try answers.trust()
        let found = newestFirst(try archivesInTargets().filter { $0.facts.vaultID == id })
        let ownerships = try Ownerships(of: found, trust: trust)
        let isMine = try found.contains { ownerships[$0] == .mine } || ownKey(of: id, among: found) != nil
        if !isMine {
          guard let recognized = try proof.recognized(found, trust: trust) else {
            throw LineageError.unknownLineage(sequence: found.first?.facts.sequence ?? 0)
          }
          next = NextVault(id, recognized: recognized)
        }
      }
      if let before = named.id {
        try state.change(before) { vault in
          vault.besides = nil
          if before != id { vault.leave() }
        }
      }
      try state.change(id) { $0.isLeft = false }
      try state.keepStoreless(id)
      return next
    case .new:
      guard let id = named.id else { return NextVault(try state.storelessVaultID()) }
      guard try isShared(id, state) else {
        try state.change(id) { $0.besides = nil }
        return NextVault(id)
      }
      let new = VaultID.random()
      try state.change(id) { $0.leave() }
      try state.keepStoreless(new)
      return NextVault(new)
    }
  }

  /// Whether another machine makes archives of a vault, too, as far as this one knows.
  private func isShared(_ id: VaultID, _ state: LockedState) throws -> Bool {
    let known = try state.directory.vault(id)
    guard known.besides == nil else { return false }
    // A key that cannot be read must not make another machine of this one: the owner's choice is for good.
    let kept = try state.directory.signingKey(of: id)?.signer.publicKey
    let own = try answers.signing(id).publicKeys.union([kept].compactMap(\.self))
    // Without a signature, only that this machine has made none tells.
    return !known.signerKeys.subtracting(own).isEmpty || known.known != nil && known.counts == nil
  }

  /// The vault of sources without a store, by what lies here of the vaults that the passphrase proves.
  ///
  /// - Returns: nil if it proves none.
  /// - Throws: ``LineageError/elsewhere(_:)`` if nothing of them is here, or that cannot be told.
  private func recognized(
    _ candidates: [Candidate], _ state: LockedState, _ asks: (VaultQuestion) throws -> VaultChoice?
  ) throws -> NextVault? {
    let recognized = candidates.compactMap(\.recognized)
    guard !recognized.isEmpty, recognized.count == candidates.count else { return nil }
    let all = try presences(of: recognized)
    // One that has more than another is no part of it.
    let whole = all.filter { if case .all = $0.presence { true } else { false } }
      .map { ($0, $0.next.recognized?.inventory?.present.count ?? 0) }.sorted { $0.1 > $1.1 }
    if let (first, count) = whole.first, whole.count == 1 || count > whole[1].1 {
      var next = first.next
      next.isAllHere = first.presence == .all(isCertain: true)
      try state.keepStoreless(next.id)
      return next
    }
    guard let nearest = all.first(where: { $0.presence != .none }) ?? all.first else { return nil }
    let elsewhere = VaultElsewhere(
      nearest.next.id, nearest.next.recognized, among: try archivesInTargets(), presence: nearest.presence)
    switch try asks(.elsewhere(elsewhere)) {
    case .existing:
      try state.keepStoreless(nearest.next.id)
      return nearest.next
    case .new: return NextVault(try state.storelessVaultID())
    case nil:
      guard nearest.presence != .none else { throw LineageError.elsewhere(elsewhere) }
      let own = try state.storelessVaultID()
      try state.change(own) { $0.besides = nearest.next.id.hex }
      return NextVault(own)
    }
  }

  /// How much of each vault's newest archive is here.
  private func presences(
    of vaults: [NextVault]
  ) throws -> [(next: NextVault, presence: VaultPresence)] {
    let (here, areComplete) = try thingsHere()
    return vaults.map {
      ($0, VaultPresence(of: $0.recognized?.inventory, among: here, isComplete: areComplete))
    }
  }

  /// A vault that sources without a store may continue.
  private enum Candidate {
    /// A signer that this machine trusts made its archives.
    case proven(NextVault)
    /// The passphrase opens its archives.
    case recognized(NextVault)
    /// It would, without a newer archive of an unknown owner.
    case doubtful(LineageError)

    var proven: NextVault? { if case .proven(let next) = self { next } else { nil } }
    var doubt: LineageError? { if case .doubtful(let doubt) = self { doubt } else { nil } }
    var recognized: NextVault? { if case .recognized(let next) = self { next } else { nil } }
  }

  /// Whether a key of this machine signed an archive: the one that it made for the vault, where only the rest of the state
  /// was lost, or the one that the owner names.
  private func hasSigned(
    _ archives: [StoredArchive], of vault: VaultID, _ state: LockedState
  ) throws -> Bool {
    var keys = state.directory.ownKeys(of: vault)
    if trustsOwnKey { keys.formUnion(try answers.signing(vault).publicKeys) }
    return archives.contains { $0.isSigned(byOneOf: keys) }
  }

  private func candidates(
    among vaults: [VaultID: [StoredArchive]], _ ownerships: Ownerships, _ named: NamedVault,
    _ state: LockedState
  ) throws -> [Candidate] {
    let trust = try answers.trust()
    let proof = LineageProof(secrets: answers.archiveSecrets, budget: trials) { _, _ in false }
    return try vaults.sorted { $0.key < $1.key }.compactMap { id, archives in
      guard try !named.others.contains(id) && state.directory.vault(id).known == nil else { return nil }
      do {
        if id != named.store {
          let isMine = archives.contains { ownerships[$0] == .mine }
          if try isMine || hasSigned(archives, of: id, state) { return .proven(NextVault(id)) }
        }
        var recognized = try proof.recognized(newestFirst(archives), trust: trust)
        guard id != named.store || recognized?.isStoreless == true else { return nil }
        // The store's secrets came out of these archives.
        if id == named.store { recognized?.handsOnSecrets = true }
        return recognized.map { .recognized(NextVault(id, recognized: $0)) }
      } catch let doubt as LineageError {
        return .doubtful(doubt)
      }
    }
  }
}
