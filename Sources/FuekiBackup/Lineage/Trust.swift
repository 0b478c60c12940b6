public import FuekiArchive
public import FuekiCrypto

/// The trusted signers and archives of one vault.
public struct VaultTrust: Sendable {
  /// The vault's signers.
  public var signers: Set<Ed25519.PublicKey>
  /// The keys that the user retired; none of them is among the signers.
  public var retired: Set<Ed25519.PublicKey>
  /// Archives that this machine made or accepted, by their digests.
  public var digests: Set<Digest>
  /// The sequence of the first archive that was signed, where this machine knows it.
  public var signedFrom: UInt64?

  /// Whether this machine knows anything of the vault.
  public var isKnown: Bool { !signers.isEmpty || !digests.isEmpty }
}

/// The trusted signers and archives of all vaults, from the options, the configuration and this machine's state.
public struct Trust: Sendable {
  /// Signers whose archives are the user's, in any vault.
  public var everywhere: Set<Ed25519.PublicKey> = []
  /// The configured signers, by vault.
  public var configured: [VaultID: Set<Ed25519.PublicKey>] = [:]
  /// The newest archives given for this run, by vault.
  public var given: [VaultID: VaultState.Link] = [:]
  private var remembered: [VaultID: Result<VaultState, any Error>]

  /// - Parameter remembered: this machine's state of each vault, by its id.
  public init(remembered: [VaultID: Result<VaultState, any Error>] = [:]) { self.remembered = remembered }

  /// Replaces this machine's remembered state of a vault.
  public mutating func remember(_ state: VaultState, of vault: VaultID) {
    remembered[vault] = .success(state)
  }

  /// Adds accepted facts to this machine's remembered state of a vault.
  ///
  /// - Throws: as ``of(_:)``.
  mutating func accept(_ accepted: VaultState, of vault: VaultID) throws {
    remember((try remembered[vault]?.get() ?? VaultState()).accepting(accepted), of: vault)
  }

  /// The same, without what cannot be read of this machine's state: for what only shows, and decides nothing.
  public var readable: Trust { remembering(remembered.filter { (try? $0.value.get()) != nil }) }

  /// Returns the same trust with another state of this machine.
  ///
  /// - Parameter remembered: the state of each vault, by its id.
  /// - Returns: the trust.
  package func remembering(_ remembered: [VaultID: Result<VaultState, any Error>]) -> Trust {
    var trust = Trust(remembered: remembered)
    (trust.everywhere, trust.configured, trust.given) = (everywhere, configured, given)
    return trust
  }

  /// Returns the trusted facts of a vault.
  ///
  /// - Throws: ``StateError/damaged(path:)`` if this machine's state of it cannot be read.
  public func of(_ vault: VaultID) throws -> VaultTrust {
    let state = try remembered[vault]?.get() ?? VaultState()
    let retired = state.retiredKeys
    return VaultTrust(
      signers: state.signerKeys.union(everywhere).union(configured[vault] ?? []).subtracting(retired),
      retired: retired,
      digests: state.ownDigests.union(given[vault].flatMap { Digest(hex: $0.digest) }.map { [$0] } ?? []),
      signedFrom: state.signedFrom)
  }

  /// The newest archive of a vault, as given by the user or remembered by this machine.
  ///
  /// - Throws: as ``of(_:)``; ``LineageError/forked(sequence:known:)`` if the two contradict each other.
  func newest(of vault: VaultID) throws -> VaultState.Link? {
    try VaultState.Link.newer(given[vault], known(of: vault))
  }

  /// The digest of the archive that this machine makes a vault's differential ones from.
  ///
  /// - Throws: as ``of(_:)``.
  public func base(of vault: VaultID) throws -> Digest? {
    try remembered[vault]?.get().base.flatMap { Digest(hex: $0.digest) }
  }

  /// The names of the things of worth that only an earlier archive of a vault has, by that archive's digest in hex.
  ///
  /// - Throws: as ``of(_:)``.
  func onlyIn(_ vault: VaultID) throws -> [String: [Absence]] {
    try remembered[vault]?.get().inventory?.onlyIn(beside: of(vault).signers) ?? [:]
  }

  /// The machines whose place this one took: the number of the archive that it continued, by its signer in hex.
  ///
  /// None if it gave up anything since.
  ///
  /// - Throws: as ``of(_:)``.
  func tookOver(of vault: VaultID) throws -> [String: UInt64] {
    guard let state = try remembered[vault]?.get() else { return [:] }
    // What an owner gives up on one machine is not given up on another.
    return state.inventory?.absent.contains(where: \.isAccepted) ?? false ? [:] : state.tookOver
  }

  /// Returns the proof of seals that this machine has for a vault's archives.
  ///
  /// - Throws: as ``of(_:)``.
  func sealWitness(of vault: VaultID) throws -> SealWitness {
    SealWitness(try remembered[vault]?.get() ?? VaultState(), signers: try of(vault).signers)
  }

  /// Returns the vault's newest archive as remembered by this machine.
  ///
  /// - Throws: the errors of ``of(_:)``.
  public func known(of vault: VaultID) throws -> VaultState.Link? { try remembered[vault]?.get().known }
}
