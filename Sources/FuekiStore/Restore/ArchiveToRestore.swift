public import FuekiArchive
public import FuekiBackup
public import FuekiCrypto

/// An archive to restore, and its ownership.
public struct ArchiveToRestore {
  /// The archive's path.
  public var path: String
  /// The archive, with its structure checked.
  public var stored: StoredArchive
  /// Its ownership.
  public var ownership: Ownership
  /// The vault's intact archives next to it, including itself.
  public var siblings: [StoredArchive]
  /// The trusted signers.
  public var trust: Trust
  /// The acceptable signers; nil if no signature is required.
  public var trusted: Set<Ed25519.PublicKey>?
  /// The newest archive known of its vault.
  public var known: VaultState.Link?
  /// Whether it was selected as the newest.
  ///
  /// If it fails, the newest that does not is sought.
  public var isLatest: Bool
  /// The targets to search for it.
  public var targets: [Target]

  /// Creates a description.
  public init(
    path: String, stored: StoredArchive, ownership: Ownership, siblings: [StoredArchive], trust: Trust,
    trusted: Set<Ed25519.PublicKey>?, known: VaultState.Link?, isLatest: Bool, targets: [Target]
  ) {
    self.path = path
    self.stored = stored
    self.ownership = ownership
    self.siblings = siblings
    self.trust = trust
    self.trusted = trusted
    self.known = known
    self.isLatest = isLatest
    self.targets = targets
  }
}
