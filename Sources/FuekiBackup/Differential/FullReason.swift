/// Why an archive that could have held what differs from another holds everything.
public enum FullReason: Hashable, Sendable {
  /// The user requested a full archive.
  case asked
  /// There is no full archive that this machine has a table of.
  case noTable
  /// The table of the last full archive is damaged.
  case damagedTable
  /// The last full archive has no history.
  case noHistory
  /// The last full archive is as old as the configuration lets it become.
  case due
  /// A target has not the last full archive.
  case baseMissing(target: String)
  /// The last full archive is damaged in a target.
  case baseDamaged(target: String)
  /// Nothing proves the seals of the last full archive in a target, so that perhaps no key opens it.
  case baseUnproven(target: String)
  /// The last full archive opens with other secrets.
  case otherSecrets
  /// Something else is known of the archives between.
  case otherLineage
  /// The differences exceed a quarter of the last full archive.
  case tooLarge
  /// More records differ than a differential archive has room for.
  case tooManyChanges
  /// There are more records than this machine keeps a table of.
  case tooManyRecords
  /// A removed record's identity is too long to be kept.
  case longIdentity
  /// The written archive and the last full archive do not combine to the collected contents.
  case comesToOther
}
