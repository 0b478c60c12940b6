public import FuekiCrypto
public import FuekiWallet

/// A machine's knowledge of a vault's chain of archives.
public struct VaultState: Codable, Equatable, Sendable {
  /// One archive in the chain.
  public struct Link: Codable, Hashable, Sendable {
    /// Its sequence.
    public var sequence: UInt64
    /// Its archive digest, in hex.
    public var digest: String

    /// One archive in the chain.
    public init(sequence: UInt64, digest: Digest) {
      self.sequence = sequence
      self.digest = digest.hex
    }
  }

  /// The newest archive known.
  public var known: Link?
  /// An archive that was about to be published; it may or may not have been.
  public var intent: Link?
  /// The number of records in this machine's last archive, by section.
  ///
  /// A section outside the request keeps the count of the last archive that included it.
  public var counts: [String: UInt64]?
  /// A digest of the newest archive's collected contents, if it was computed.
  public var content: String?

  /// The signers that this machine has used or accepted for the vault: Ed25519 public keys in hex, ascending.
  @OmittedIfEmpty public var signers: [String]
  /// The signers that the user retired, as of a stolen key: in hex, ascending.
  ///
  /// Nothing but typing one brings it back.
  @OmittedIfEmpty public var retired: [String]
  /// The sequence of the vault's first archive that was signed, where this machine made it.
  public var signedFrom: UInt64?
  /// The digests of the unsigned archives that this machine made or accepted, in hex, ascending.
  ///
  /// A signed one is known by its signature, so that this does not grow with the vault.
  @OmittedIfEmpty public var unsigned: [String]
  /// The seals of the archives that this machine made last and no signature covers, the oldest first.
  @OmittedIfEmpty public var seals: [Seals]
  /// The guardians of the newest archive that no configuration lists, as a line of their public file.
  public var guardians: String?
  /// The things that the sources of the newest archive held and it lacks.
  @OmittedIfEmpty public var missing: [String]
  /// The files of the newest archive that no kind reads.
  @OmittedIfEmpty public var keptUnread: [String]
  /// The unencrypted keys that the newest archive omits by decision.
  @OmittedIfEmpty public var declinedKeys: [DeclinedKeys]
  /// The findings on the backup of each wallet in the newest archive.
  @OmittedIfEmpty public var wallets: [RememberedFinding]
  /// The number of other programs' files in the newest archive that can be restored below a home; nil if unknown.
  public var placedFiles: UInt64?
  /// The things of worth in the newest archive, and those that only earlier ones have; nil if unknown.
  public var inventory: Inventory?
  /// Whether the store's private keys and secret files came out of an archive of the vault: they go into the next one as
  /// those of a named source do.
  @OmittedIfEmpty public var handsOnSecrets: Bool
  /// Whether an archive that recognised the vault has nothing of a store.
  @OmittedIfEmpty public var isStoreless: Bool
  /// The name of the machine that made the archive that recognised the vault; nil if none had to.
  public var device: String?
  /// The vault, in hex, that this machine may be meant to continue instead of this one; nil once its owner chose.
  public var besides: String?
  /// The machines whose place this one took, without an accepted loss: the number of the archive that it continued, by its
  /// signer in hex.
  @OmittedIfEmpty public var tookOver: [String: UInt64]
  /// Whether the owner gave this machine another vault, so that this one is another machine's.
  @OmittedIfEmpty public var isLeft: Bool
  /// The sources whose files came out of an archive of the vault, as `kind:PATH` with `~` for the home.
  @OmittedIfEmpty public var restoredSources: [String]
  /// The sources of the newest archive that this machine made, as `--from` has them; nil before it made one.
  public var sources: [String]?
  /// The folders that put-back made, from the root and ascending, by the digest of the archive in hex.
  @OmittedIfEmpty public var madeFolders: [String: [String]]
  /// The full archive that differential ones are made from, where they are.
  public var base: Base?
  /// The parts of the last archive of which the last run found nothing, so that it made none; empty after each archive.
  @OmittedIfEmpty public var emptied: [EmptiedPart]
  /// Which archives were in which target; nil before any was recorded.
  public var places: ArchivePlaces?

  /// Nothing is known.
  public init(known: Link? = nil, intent: Link? = nil) {
    self.known = known
    self.intent = intent
  }

  /// Returns an archive's gaps, if it is the newest that this machine knows.
  public func missing(in digest: String) -> [String] { known?.digest == digest ? missing : [] }

  /// Returns the unencrypted keys that an archive omits by decision, if it is the newest that this machine knows.
  public func declinedKeys(in digest: String) -> [DeclinedKeys] {
    known?.digest == digest ? declinedKeys : []
  }

  /// How many files of other programs an archive has that can go back below a home, where it is the newest that this
  /// machine knows, and that is known.
  public func placedFiles(in digest: String) -> UInt64? { known?.digest == digest ? placedFiles : nil }
}

extension VaultState {
  /// The vault's signers as keys, without invalid and retired ones.
  public var signerKeys: Set<Ed25519.PublicKey> { Self.keys(signers).subtracting(retiredKeys) }

  /// The retired signers as keys, without invalid ones.
  public var retiredKeys: Set<Ed25519.PublicKey> { Self.keys(retired) }

  private static func keys(_ texts: [String]) -> Set<Ed25519.PublicKey> {
    Set(texts.compactMap { Ed25519.PublicKey(hex: $0) })
  }

  /// The archives that this machine's state proves to be the user's.
  var ownDigests: Set<Digest> {
    let newest = [known?.digest, intent?.digest].compactMap(\.self)
    return Set((newest + unsigned).compactMap(Digest.init(hex:)))
  }

  /// Whether this machine has made or accepted anything of the vault.
  public var isEmpty: Bool { known == nil && intent == nil && signerKeys.isEmpty && unsigned.isEmpty }

  /// Takes keys for the vault's signers, without the retired ones.
  public mutating func accept(signers keys: some Sequence<Ed25519.PublicKey>) {
    signers = signerKeys.union(keys).subtracting(retiredKeys).sorted().map(\.hex)
  }

  /// Takes keys that the user typed for the vault's signers, retired ones too.
  public mutating func trust(signers keys: some Sequence<Ed25519.PublicKey>) {
    setRetired(retiredKeys.subtracting(keys))
    accept(signers: keys)
  }

  /// No longer takes keys for signers of the vault, whatever an archive says later.
  public mutating func retire(signers keys: some Sequence<Ed25519.PublicKey>) {
    setRetired(retiredKeys.union(keys))
    signers = signerKeys.sorted().map(\.hex)
  }

  private mutating func setRetired(_ keys: Set<Ed25519.PublicKey>) {
    retired = keys.sorted().map(\.hex)
  }

  /// Notes that a vault is another machine's, if this one knows anything of it.
  mutating func leave() { if !isEmpty { isLeft = true } }

  /// Takes unsigned archives for this vault's.
  public mutating func accept(unsigned digests: some Sequence<Digest>) {
    unsigned = Set(unsigned).union(digests.map(\.hex)).sorted()
  }

  /// The unsigned archives that are this vault's.
  var unsignedDigests: [Digest] { unsigned.compactMap(Digest.init(hex:)) }

  /// Notes the archive that this machine has just made, or accepted, as the newest.
  public mutating func advance(to link: Link, signer: Ed25519.PublicKey?) {
    known = link
    intent = nil
    if let signer {
      if signerKeys.isEmpty, retiredKeys.isEmpty { signedFrom = link.sequence }
      accept(signers: [signer])
    } else if let digest = Digest(hex: link.digest) {
      accept(unsigned: [digest])
    }
  }
}

extension VaultState.Link {
  /// The newer of two things that are known of a vault.
  ///
  /// - Throws: ``LineageError/forked(sequence:known:)`` where they contradict one another.
  public static func newer(_ a: VaultState.Link?, _ b: VaultState.Link?) throws -> VaultState.Link? {
    guard let a, let b else { return a ?? b }
    guard a.sequence != b.sequence || a.digest == b.digest else {
      throw LineageError.forked(sequence: a.sequence, known: b.sequence)
    }
    return a.sequence >= b.sequence ? a : b
  }
}
