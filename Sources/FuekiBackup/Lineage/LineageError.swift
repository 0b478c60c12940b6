public import FuekiCrypto

/// A conflict in a vault's lineage.
public enum LineageError: Error, Equatable, Sendable {
  /// An older archive than the newest known of its vault.
  case olderThanKnown(sequence: UInt64, known: UInt64)
  /// The vault's history divides here.
  case forked(sequence: UInt64, known: UInt64)
  /// A target holds an archive of this vault that this machine has never seen.
  case unknownSuccessor(sequence: UInt64, known: UInt64?)
  /// A target holds archives of this vault, which is unknown to this machine, and their owner is unknown.
  case unknownLineage(sequence: UInt64)
  /// The passphrase also opens a newer archive, which has other keys, too, and whose owner is unknown to this machine, which
  /// knows no archive of the vault.
  case inDoubt(sequence: UInt64, signer: Ed25519.PublicKey?)
  /// There was no time to try the passphrase on these newer archives, which have other keys, too, and whose owner is unknown
  /// to this machine, which knows no archive of the vault: their paths, or their short ids.
  case untried(_ archives: [String], tried: Int)
  /// An archive that claims to be of this vault has an implausibly high number.
  case implausibleSequence(_ sequence: UInt64, known: UInt64?)
  /// The vault's archives are signed, and no key was given to sign the next.
  case unsignedSuccessor
  /// The key that would sign the next archive was retired.
  case retiredSigner(Ed25519.PublicKey)
  /// The targets hold archives of other vaults, and none of the vault that would begin next to them.
  case secondVault(others: [String])
  /// The passphrase opens the archives of a vault, nothing of which is on this machine.
  case elsewhere(VaultElsewhere)
  /// The archive is not the user's, or its owner is unknown, so it is neither signed nor re-encrypted.
  case notMine(sequence: UInt64, Ownership)
}
