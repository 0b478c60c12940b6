internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// Whose archives are, in words.
enum OwnershipLines {
  /// Returns the reason for skipping an archive above the user's newest.
  static func passedOver(_ path: String, _ ownership: Ownership) -> String {
    switch ownership {
    case .stranger: "\(path) is a stranger's: none of the vault's signers signed it. It is ignored"
    case .unknown: "\(path) is newer, but nothing shows whose it is. It is ignored"
    case .mine: "\(path) is newer"
    }
  }

  /// Whose an archive is, as `list` and `show` say it.
  static func sentence(_ ownership: Ownership) -> String {
    switch ownership {
    case .mine: "mine"
    case .unknown: "unknown"
    case .stranger: "a stranger's"
    }
  }

  /// Returns the signer of an archive, for the first line of a restore.
  static func signer(_ found: FoundArchive) -> String {
    guard let key = found.stored.facts.signer else { return "unsigned" }
    return switch found.ownership {
    case .mine: "signed by \(key.fingerprint), a signer of this vault"
    case .unknown: "says it is signed by \(key.fingerprint), which this machine does not know"
    case .stranger: "not signed by a signer of this vault"
    }
  }
}
