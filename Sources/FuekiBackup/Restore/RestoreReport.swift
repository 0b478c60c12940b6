public import FuekiArchive
public import FuekiWallet

/// The result of a restore, stage by stage.
///
/// Only ``Recovery/run(_:resyncer:progress:prepare:)`` creates one.
public struct RestoreReport: Sendable {
  /// The archive: whole, or what was left of it.
  public let archive: any UnlockedArchive
  /// The archive's manifest.
  public let manifest: Manifest
  /// How many records of each section are in place.
  public let restored: [Section: UInt64]
  /// Selected scopes that the secret does not open.
  public let closedScopes: [ArchiveScope]
  /// Sections that this version does not know, by id.
  public let unknownSections: [UInt16]
  /// The losses of a damaged archive.
  public let losses: Losses
  /// The results of deriving the wallets' addresses again.
  public let proofs: ProofReport
  /// The outcome of the resync.
  public let resync: ResyncOutcome
  /// Each stage's result.
  public let stages: [StageResult]

  init(
    of plan: RestorePlan, _ restored: [Section: UInt64], _ resync: ResyncOutcome, _ stages: [StageResult]
  ) {
    archive = plan.archive
    manifest = plan.manifest
    self.restored = restored.merging(plan.secretCounts) { first, _ in first }
    closedScopes = plan.closedScopes
    unknownSections = plan.unknownSections
    losses = plan.losses
    proofs = plan.proofs
    self.resync = resync
    self.stages = stages
  }

  /// Whether everything selected is in place.
  public var isComplete: Bool {
    closedScopes.isEmpty && unknownSections.isEmpty && losses.isEmpty && proofs.withheld.isEmpty
  }
}

extension RestorePlan {
  /// Puts the sections of one scope into the destination's scratch copy.
  func load(
    _ scope: ArchiveScope, into destination: any Destination,
    progress: @escaping (RestoreProgress) throws -> Void
  ) throws -> [Section: UInt64] {
    var counts: [Section: UInt64] = [:]
    for section in sections where section.scope == scope {
      if let staged = destination.staged[section] {
        counts[section] = staged
        continue
      }
      let count = archive.sections.first { $0.id == section.rawValue }?.records ?? 0
      let records = SectionRecords(section: section, count: count, plan: self, progress: progress)
      let taken = try destination.restore(records)
      let left = count - (ledger.loss(of: section)?.lostRecords ?? 0)
      let expected = filter == nil ? left : records.handed.chosen
      guard taken == expected, filter == nil || records.handed.read == left else {
        throw RecordsError.countDiffers(section: section.name, reported: expected, written: taken)
      }
      counts[section] = taken
    }
    return counts
  }

  /// Passes a restore's contents to a destination, only to compare them with the existing ones.
  func compare(
    with destination: any Destination, progress: @escaping (RestoreProgress) throws -> Void
  ) throws {
    try destination.begin(manifest, vaultID: archive.facts.vaultID)
    for scope in [ArchiveScope.profile, .history] {
      _ = try load(scope, into: destination, progress: progress)
    }
    try destination.finish()
  }

  /// Reads a restore's contents, so that every loss is known.
  func survey(_ selection: SectionSelection) throws {
    let known = archive.sections.compactMap { Section(rawValue: $0.id) }
    for section in known where selection.contains(section) {
      if section.scope == .secrets {
        ledger.note(try archive.readSecretRecords(of: section.rawValue) { _ in })
      } else {
        let loss = try archive.readRecords(of: section.rawValue) { _ in
        } body: { _ in
        }
        ledger.note(loss)
      }
    }
  }
}

/// The selected contents that a damaged archive has lost.
public struct Losses: Sendable {
  /// Sections of which records are lost, the manifest among them, in order.
  public let sections: [SectionLoss]
  /// Scopes of which everything is lost: their index is damaged.
  public let scopes: [ArchiveScope]
  /// The key shares that are lost, as far as their descriptors are not.
  public let shares: [KeyShareDescriptor]

  /// Whether nothing is lost.
  public var isEmpty: Bool { sections.isEmpty && scopes.isEmpty }
}

/// Records losses while the sections are read, once or several times each.
final class LossLedger {
  private var sections: [UInt16: SectionLoss] = [:]
  var scopes: [ArchiveScope] = []
  var shares: [KeyShareDescriptor] = []

  var losses: Losses {
    Losses(sections: sections.values.sorted { $0.section < $1.section }, scopes: scopes, shares: shares)
  }

  func note(_ loss: SectionLoss?) {
    guard let loss else { return }
    sections[loss.section] = loss
  }

  func loss(of section: Section) -> SectionLoss? { sections[section.rawValue] }

  /// Returns the end of a stage that read a scope, with the results of its proofs.
  func end(of scope: ArchiveScope, _ proofs: ProofReport = .empty) -> StageEnd {
    let lost = sections.values.filter { scope.sectionIDs.contains($0.section) }
    let loss = StageLoss(
      scopes: scopes.filter { $0 == scope }, records: lost.reduce(0) { $0 + $1.lostRecords })
    return .read(lost: loss, proofs: proofs.tally)
  }
}
