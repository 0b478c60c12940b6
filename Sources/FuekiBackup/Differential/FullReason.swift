/// Whether an archive is to hold all of the history, or what differs from an earlier one.
public enum HistoryChoice: Hashable, Sendable {
  /// Everything, and the next ones may hold what differs from this one.
  case full
  /// Only the differences; fail if that is impossible.
  case differential
  /// The differences, or everything if the base is at least this old or is unsuitable.
  case whenDue(every: CalendarSpan)
}

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

/// Ends the writing of a differential archive: a full one has to be made.
struct FullNeeded: Error, Equatable {
  let reason: FullReason
}
