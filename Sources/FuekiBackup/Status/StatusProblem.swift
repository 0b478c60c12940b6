package import FuekiCrypto

/// Something wrong with a target, or with a vault's backup in it.
package enum StatusProblem: Sendable {
  /// An activity whose age has a limit.
  package enum Dated: Equatable, Sendable {
    case archive
    case verification
    case drill
  }

  /// The age of an activity that has a limit.
  package enum Age: Equatable, Sendable {
    case never
    /// The clock has gone back, or another machine's is wrong, so that the age is unknown.
    case future
    case seconds(Int64)
  }

  /// The target cannot be read.
  ///
  /// This machine's archives in it are listed by their last activity.
  case unreachable(made: [Activity], any Error)
  /// Files with archives' names cannot be read.
  case unread([TargetEntry])
  /// Files that claim to be the newest archives of their vaults are damaged or incomplete.
  case broken([TargetEntry])
  /// The target never had an archive.
  ///
  /// Its folders may have some.
  case empty(hasFoldersWithArchives: Bool)
  /// The archive that this machine last made there is gone; its digest in hex.
  case gone(archive: String)
  /// The target lacks an archive that it should have.
  case behind(TargetLag)
  /// The vault has no whole archive there.
  case noArchive(isOthersThere: Bool)
  /// The newest archive is damaged: by this run, or by an earlier verification, whose time is in seconds since 1970.
  case damaged(Digest, found: Int64?)
  /// The newest archive's base is damaged, as an earlier verification found, whose time is in seconds since 1970.
  case baseDamaged(Digest, of: Digest, found: Int64)
  /// An activity is older than its limit.
  case age(Dated, Age)
  /// The age of the last verification has a limit, and that verification found the newest archive damaged.
  ///
  /// Its time is in seconds since 1970, if this machine knows it.
  case verificationFailed(Int64?)
  /// The last drill found a difference.
  case drillDiffered(Digest)
  /// The last run made no archive, because these parts are empty.
  case emptied([EmptiedPart])
  /// The backup of a wallet is faulty.
  case faulty(WalletFinding)
  /// This machine's state cannot be read.
  case state(any Error)
  /// The command found something that the library does not look at, and states it.
  case stated(String)

  /// The finding that a report lists with its wallet.
  package var isOfWallet: Bool { if case .faulty = self { true } else { false } }

  /// The newest archive, if it or its base was read and found damaged.
  package var damagedArchive: Digest? {
    switch self {
    case .damaged(let digest, _), .baseDamaged(_, of: let digest, _): digest
    default: nil
    }
  }
}
