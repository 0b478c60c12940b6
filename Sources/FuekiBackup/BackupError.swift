public import FuekiArchive

/// What stops a backup, a verification or a restore, other than the archive itself.
public enum BackupError: Error, Equatable, Sendable {
  /// A key share's id has not 16 bytes.
  case shareID(name: String)
  /// There is no such target.
  case noTarget(path: String)
  /// The target is there, on another file system than when this machine's archives were put into it, and has none.
  case otherFileSystem(path: String)
  /// What begins with `rclone:` does not go on with a remote's name and a colon.
  case malformedTarget(path: String)
  /// No archive of this name is in the targets.
  case noArchive(name: String)
  /// A folder was named where one archive was meant.
  case isFolder(path: String)
  /// The archive has no wallet of this id.
  case noWallet(id: String)
  /// More than one archive begins with this short id.
  case ambiguous(name: String, candidates: [String])
  /// Several vaults' archives lie in the target, and none was chosen.
  case severalVaults(count: Int)
  /// Another run holds the lock.
  case locked(owner: String?)
  /// The keychain does not open.
  case keychain(KeychainProblem)
  /// Something is in the way that differs.
  case wouldOverwrite(path: String)
  /// Records are there already and differ; nothing was changed.
  case conflicts([RestoreConflict])
  /// A data directory cannot be swapped for another.
  case notReplaceable(path: String, obstacle: Obstacle)
  /// An older archive than the newest known of its vault.
  case olderThanKnown(sequence: UInt64, known: UInt64)
  /// Key shares that the destination's have replaced.
  case olderShares([OlderShares])
  /// Keys of the archive are not those of its addresses.
  case proofsDiffer([Proof])
  /// Wallets that are dangerous when old or live twice, and nobody has said that they are wanted all the same.
  case hazards([HazardousWallet])
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
  /// The archive is not this person's, or nobody can tell, and so nothing is signed or sealed anew.
  case notMine(sequence: UInt64, Ownership)
  /// What may be a newer archive than the newest that is mine cannot be read as one.
  case unusableNewest(path: String, verdict: Verdict, usable: String)
  /// What opens only some scopes was asked to change the archive's keys.
  case partlyOpen(closed: [String])
  /// The archive read back is not the one that was written.
  case readBackDiffers(path: String)
  /// The checksum that a remote has of what came there is not that of what was sent.
  case checksumDiffers(path: String, kind: String)
  /// A section has not as many records as its source reported.
  case countDiffers(section: String, reported: UInt64, written: UInt64)
  /// The source kept changing while it was collected.
  case sourceKeepsChanging(name: String)
  /// The keychain read back has not the shares that were put in.
  case keychainDiffers
  /// A record of the archive is not what its section holds.
  case malformedRecord(section: String)
  /// The records' schema is newer than this program.
  case newerRecords(schema: UInt32)
  /// Nothing would be in the archive.
  case nothingToBackUp
  /// The new archive has lost much of what the vault's last one has.
  case loss([SectionShrinkage])
  /// The person, or a signal, ended the run.
  case interrupted
  /// The state of this machine cannot be read.
  case stateDamaged(path: String)

  /// Why a data directory cannot be swapped for another.
  public enum Obstacle: Hashable, Sendable {
    /// It is a symbolic link.
    case symbolicLink
    /// Another file system begins there.
    case mountPoint
    /// A wallet has its store open.
    case inUse
    /// Something else than files and directories is in it.
    case foreignEntry(name: String)
    /// The file system cannot swap two directories in one step.
    case noExchange
  }

  /// Why a keychain does not open.
  public enum KeychainProblem: Hashable, Sendable {
    case missingSecret
    case wrongSecret
    case damaged
    case newer
    case notThere
  }
}
