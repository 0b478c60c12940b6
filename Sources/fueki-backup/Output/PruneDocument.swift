internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// `prune --json`.
struct PruneDocument: Encodable {
  struct Archive: Encodable {
    let path: String
    let id: String?
    let vault: String?
    let sequence: UInt64?
    let created: String?
    let bytes: UInt64
    var reasons: [String]?
    /// The things for which it stays.
    var onlyHere: [AbsenceDocument]?
    var futureDated: Bool?
    var copyOf: String?
    var whose: String?

    init(_ entry: TargetEntry) {
      path = entry.path
      id = entry.archive?.statedDigest.hex
      vault = entry.archive.map { $0.facts.vaultID.hex }
      sequence = entry.archive?.facts.sequence
      created = entry.archive.map { Times.text($0.facts.created) }
      bytes = entry.byteCount
    }
  }

  struct Target: Encodable {
    let path: String
    let appendOnly: Bool
    let declined: Bool
    let kept: [Archive]
    let removed: [Archive]
    let foreign: [Archive]
    let left: [String]
  }

  let schema = "fueki.prune/1"
  let dryRun: Bool
  let targets: [Target]
  let failedTargets: [String]
  let freedBytes: UInt64

  init(_ outcome: PruneOutcome, isDryRun: Bool) {
    dryRun = isDryRun
    failedTargets = outcome.failures.map(\.path)
    targets = outcome.targets.map { outcome in
      let removed = outcome.report?.removed ?? outcome.plan.removed
      return Target(
        path: outcome.plan.target.path, appendOnly: outcome.plan.target.isAppendOnly,
        declined: outcome.isDeclined,
        kept: outcome.plan.vaults.flatMap(\.kept).map { kept in
          var archive = Archive(kept.entry)
          archive.reasons = kept.reasons.map(\.sentence)
          archive.futureDated = kept.isFutureDated
          archive.onlyHere = kept.onlyHere.isEmpty ? nil : kept.onlyHere.map(AbsenceDocument.init)
          return archive
        },
        removed: removed.map { removed in
          var archive = Archive(removed.entry)
          archive.copyOf = removed.copyOf
          return archive
        },
        foreign: outcome.plan.foreign.map { foreign in
          var archive = Archive(foreign.entry)
          archive.whose = foreign.ownership.rawValue
          return archive
        },
        left: outcome.plan.passedOver.map(\.path) + (outcome.report?.changed ?? []))
    }
    freedBytes = outcome.targets.reduce(0) { $0 + ($1.report?.freedBytes ?? 0) }
  }
}
