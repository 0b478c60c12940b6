internal import FuekiBackup

extension FullReason {
  /// Why the archive is a full one, after "because".
  var sentence: String {
    switch self {
    case .asked: "it was asked for"
    case .noTable: "this machine has made no full archive yet that another could hold the differences from"
    case .damagedTable: "what this machine keeps of the last full archive is damaged"
    case .due: "the last full archive is as old as full_every lets it become"
    case .baseMissing(let target): "\(target) does not have the last full archive"
    case .baseDamaged(let target): "the last full archive is damaged in \(target)"
    case .otherSecrets: "the last full archive does not open with the same secrets"
    case .otherLineage: "the vault's history does not go on from the last full archive"
    case .tooLarge: "what differs is more than a quarter of the last full archive"
    case .tooManyChanges: "more records differ than a differential archive has room for"
    case .tooManyRecords: "the history has more records than this machine keeps a table of"
    case .longIdentity: "a record is gone whose id is too long to be kept"
    case .comesToOther: "what was written did not come to what was collected, so it was thrown away"
    }
  }

  /// Whether it tells of something that somebody should look at.
  var isTrouble: Bool {
    switch self {
    case .damagedTable, .baseMissing, .baseDamaged, .comesToOther: true
    case .asked, .noTable, .due, .otherSecrets, .otherLineage, .tooLarge, .tooManyChanges,
      .tooManyRecords, .longIdentity:
      false
    }
  }

  /// What scripts read.
  var code: String {
    switch self {
    case .asked: "asked"
    case .noTable: "no-table"
    case .damagedTable: "damaged-table"
    case .due: "due"
    case .baseMissing: "base-missing"
    case .baseDamaged: "base-damaged"
    case .otherSecrets: "other-secrets"
    case .otherLineage: "other-lineage"
    case .tooLarge: "too-large"
    case .tooManyChanges: "too-many-changes"
    case .tooManyRecords: "too-many-records"
    case .longIdentity: "long-identity"
    case .comesToOther: "comes-to-other"
    }
  }
}
