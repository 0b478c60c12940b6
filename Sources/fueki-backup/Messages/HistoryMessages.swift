internal import FuekiBackup

extension FullReason {
  /// Why the archive is a full one, after "because".
  var sentence: String {
    switch self {
    case .asked: "you asked for one"
    case .noTable: "this machine has no full archive yet that a differential one could build on"
    case .damagedTable: "this machine's record of the last full archive is damaged"
    case .noHistory: "the last full archive has no history, which alone a differential one can leave out"
    case .due: "the last full archive is as old as full_every allows"
    case .baseMissing(let target): "\(target) does not have the last full archive"
    case .baseDamaged(let target): "the last full archive is damaged in \(target)"
    case .baseUnproven(let target):
      "nothing shows that the last full archive in \(target) still opens: no signature covers its seals"
    case .otherSecrets: "the last full archive does not open with the same secrets"
    case .otherLineage: "the vault's history does not continue from the last full archive"
    case .tooLarge: "the changes are larger than a quarter of the last full archive"
    case .tooManyChanges: "more records changed than a differential archive can hold"
    case .tooManyRecords: "the history has more records than this machine can track"
    case .longIdentity: "a removed record has an id that is too long to store"
    case .comesToOther: "what was written did not match what was collected, and was discarded"
    }
  }

  /// Whether the reason requires attention.
  var isTrouble: Bool {
    switch self {
    case .damagedTable, .baseMissing, .baseDamaged, .baseUnproven, .comesToOther: true
    case .asked, .noTable, .noHistory, .due, .otherSecrets, .otherLineage, .tooLarge, .tooManyChanges,
      .tooManyRecords, .longIdentity:
      false
    }
  }

  /// The code for scripts.
  var code: String {
    switch self {
    case .asked: "asked"
    case .noTable: "no-table"
    case .damagedTable: "damaged-table"
    case .noHistory: "no-history"
    case .due: "due"
    case .baseMissing: "base-missing"
    case .baseDamaged: "base-damaged"
    case .baseUnproven: "base-unproven"
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
