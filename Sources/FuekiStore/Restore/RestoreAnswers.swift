public import FuekiArchive
public import FuekiBackup
public import FuekiCrypto

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

  /// Asks whether to put back files that are no wallet's; false if unattended.
  public var ownFiles: ([OriginalFile]) throws -> Bool = { _ in false }

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
