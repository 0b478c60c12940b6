public import FuekiArchive
public import FuekiBackup
public import FuekiCrypto
public import FuekiWallet

/// An archive that is to be restored, and whose it is.
public struct ArchiveToRestore {
  /// Where it is.
  public var path: String
  /// The archive, of which only the structure was read.
  public var stored: StoredArchive
  /// Whose it is.
  public var ownership: Ownership
  /// The vault's whole archives that lie beside it, itself included.
  public var siblings: [StoredArchive]
  /// Whose word counts.
  public var trust: Trust
  /// The signers of whom one has to have signed it; nil where nobody has to.
  public var trusted: Set<Ed25519.PublicKey>?
  /// The newest archive known of its vault.
  public var known: VaultState.Link?
  /// Whether it was looked up as the newest: where it fails, the newest that does not is looked for.
  public var isLatest: Bool
  /// Where that is looked for.
  public var targets: [Target]

  /// Describes one.
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

/// What only a person or their options know: each is asked for where it is needed, and what it throws ends the run.
public struct RestoreAnswers {
  /// What opens the archive; asked for once it is known to be intact.
  public var archiveSecrets: () throws -> UnlockingSecrets
  /// What opens the keychain of the wallet that is there.
  public var presentKeychain: () throws -> KeychainOpening
  /// The same, where it is given without being asked for.
  public var presentKeychainUnasked: () throws -> KeychainOpening?
  /// The slots of the new keychain; nil for none, where the archive's keys are in the files of their programs.
  public var newKeychain: (any UnlockedArchive) throws -> [NewKeychainSlot]?
  /// Consent to wallets that are dangerous when old or live twice; throws where there is none.
  public var hazards: ([HazardousWallet]) throws -> Void
  /// Whether an archive's signer is the vault's; false where nobody can be asked.
  public var isOwnSigner: (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool

  /// Consent to what an opened archive would bring, before anything of it is decrypted; throws where there is none.
  public var archive: (any UnlockedArchive) throws -> Void = { _ in }

  /// Where to put files of other programs back, of which no option speaks; nil where they stay in the archive.
  public var files: ([OriginalFile]) throws -> PlacingRequest? = { _ in nil }

  /// Says how each is had.
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

/// What happens while a restore runs, for whoever shows it.
public enum RestoreEvent: Sendable {
  /// A stage begins, goes on or ends.
  case progress(RestoreProgress)
  /// A restore of this archive was stopped here, and this one begins anew.
  case beginsAnew(archive: String)
  /// The same, of one whose journal cannot be read.
  case journalUnreadable
  /// What the stopped run has staged is of no use, and is staged anew.
  case stagedAnew
  /// The archive is of another vault than the wallet that is there, which keeps its own.
  case anotherVault
  /// Nothing shows that the archive is this person's, so this machine does not go on with its vault.
  case vaultNotContinued
  /// A file is in its place.
  case putBack(String)
}

/// What a restore came to.
public struct RestoreOutcome {
  /// What is in place, stage by stage.
  public let recovered: RecoveryOutcome
  /// What the merge with the wallet that was there came to; nil in a new place.
  public let merge: MergeReport?
  /// Rows that refer to others which a damaged archive could not give.
  public let orphans: [Orphans]
  /// The wallets that are dangerous when old or live twice.
  public let wallets: [HazardousWallet]
  /// The archive's path.
  public let path: String
  /// Where everything is.
  public let dataDirectory: String
  /// What became of the files of other programs.
  public let files: RestoredFiles
}

/// What a restore would come to.
public struct RestorePreview {
  /// What it would begin with.
  public let plan: RestorePlan
  /// How many records of each section would be new, equal, and different.
  public let counts: [Section: MergeCounts]
  /// What the merge with the wallet that is there would come to; nil in a new place.
  public let merge: MergeReport?
  /// The wallets that are dangerous when old or live twice.
  public let wallets: [HazardousWallet]
  /// What deriving the wallets' addresses again came to.
  public let proofs: ProofReport
}
