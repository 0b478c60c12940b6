/// What does not fit into a vault's lineage.
public enum LineageError: Error, Equatable, Sendable {
  /// An older archive than the newest known of its vault.
  case olderThanKnown(sequence: UInt64, known: UInt64)
  /// The vault's history divides here.
  case forked(sequence: UInt64, known: UInt64)
  /// A target holds an archive of this vault that this machine has never seen.
  case unknownSuccessor(sequence: UInt64, known: UInt64?)
  /// A target holds archives of this vault, of which this machine knows nothing, and nobody can tell whose they are.
  case unknownLineage(sequence: UInt64)
  /// An archive that is said to be this vault's is further ahead than anybody can have come.
  case implausibleSequence(_ sequence: UInt64, known: UInt64?)
  /// The vault's archives are signed, and no key was given to sign the next.
  case unsignedSuccessor
  /// The targets hold archives of other vaults, and none of the vault that would begin next to them.
  case secondVault(others: [String])
  /// The archive is not this person's, or nobody can tell, and so nothing is signed or sealed anew.
  case notMine(sequence: UInt64, Ownership)
}
