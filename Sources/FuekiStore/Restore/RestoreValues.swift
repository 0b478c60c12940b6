public import FuekiArchive
public import FuekiBackup
public import FuekiCrypto
public import FuekiWallet

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

/// Answers from the user or their options.
///
/// Each is requested when needed, and an error ends the run.
public struct RestoreAnswers {
  /// Returns the secrets for the archive, once it is known to be intact.
  public var archiveSecrets: () throws -> UnlockingSecrets
  /// Returns the secrets for the existing wallet's keychain.
  public var presentKeychain: () throws -> KeychainOpening
  /// Returns the same if available without asking.
  public var presentKeychainUnasked: () throws -> KeychainOpening?
  /// The slots of the new keychain; nil for none, where the archive's keys are in the files of their programs.
  public var newKeychain: (any UnlockedArchive) throws -> [NewKeychainSlot]?
  /// Requests consent for wallets that are dangerous when old or live twice.
  ///
  /// Throws if it is refused.
  public var hazards: ([HazardousWallet]) throws -> Void
  /// Asks whether an archive's signer is the vault's; false if unattended.
  public var isOwnSigner: (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool

  /// Requests consent to the contents of an opened archive before decrypting them.
  ///
  /// Throws if it is refused.
  public var archive: (any UnlockedArchive) throws -> Void = { _ in }

  /// Asks where to put other programs' files back unless an option states it; nil to leave them in the archive.
  public var files: ([OriginalFile]) throws -> PlacingRequest? = { _ in nil }

  /// Creates the answers.
  public init(
    archiveSecrets: @escaping () throws -> UnlockingSecrets,
    presentKeychain: @escaping () throws -> KeychainOpening,
    presentKeychainUnasked: @escaping () throws -> KeychainOpening?,
    newKeychain: @escaping (any UnlockedArchive) throws -> [NewKeychainSlot]?,
    hazards: @escaping ([HazardousWallet]) throws -> Void,
    isOwnSigner: @escaping (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool
  ) {
    self.archiveSecrets = archiveSecrets
    self.presentKeychain = presentKeychain
    self.presentKeychainUnasked = presentKeychainUnasked
    self.newKeychain = newKeychain
    self.hazards = hazards
    self.isOwnSigner = isOwnSigner
  }
}

/// An event during a restore.
public enum RestoreEvent: Sendable {
  /// A stage starts, continues or ends.
  case progress(RestoreProgress)
  /// A restore of this archive was stopped here, and this one starts over.
  case beginsAnew(archive: String)
  /// A restore whose journal cannot be read was stopped here.
  case journalUnreadable
  /// The stopped run's staged data is unusable, and is staged again.
  case stagedAnew
  /// The archive belongs to another vault than the existing wallet, which keeps its own.
  case anotherVault
  /// The archive is not proven to be the user's, so this machine does not continue its vault.
  case vaultNotContinued(isDamaged: Bool)
  /// A file was put back.
  case putBack(String)
}

/// The result of a restore.
public struct RestoreOutcome {
  /// The result of each stage.
  public let recovered: RecoveryOutcome
  /// The result of the merge with the existing wallet; nil for a new place.
  public let merge: MergeReport?
  /// Rows with missing parents, lost with a damaged archive.
  public let orphans: [Orphans]
  /// The wallets that are dangerous when old or live twice.
  public let wallets: [HazardousWallet]
  /// The archive's path.
  public let path: String
  /// The data directory.
  public let dataDirectory: String
  /// The result for files of other programs.
  public let files: RestoredFiles
}

/// The expected result of a restore.
public struct RestorePreview {
  /// The archive's plan.
  public let plan: RestorePlan
  /// The numbers of new, equal and different records of each section.
  public let counts: [Section: MergeCounts]
  /// The expected result of the merge with the existing wallet; nil for a new place.
  public let merge: MergeReport?
  /// The wallets that are dangerous when old or live twice.
  public let wallets: [HazardousWallet]
  /// The result of deriving the wallets' addresses again.
  public let proofs: ProofReport
}
