internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiWallet

/// `restore --json`.
struct RestoreDocument: Encodable {
  struct Stage: Encodable {
    let name: String
    let result: String
    let seconds: Double
    let counts: [String: UInt64]
  }

  let schema = "fueki.restore/1"
  let archive: String
  let path: String
  let stages: [Stage]
  let conflicts: [ConflictDocument]
  let namesakes: [NamesakeDocument]
  let merged: [String: MergeCountsDocument]?
  let previous: String?
  let restored: [String: UInt64]
  let notRestored: [String]
  let missing: [String]
  let lost: [LossDocument]
  let lostScopes: [String]
  let lostShares: [LostShareDocument]
  let orphans: [OrphansDocument]
  let proofs: [ProofDocument]
  let olderShares: [OlderSharesDocument]
  let hazards: [HazardDocument]
  let wallets: [FindingDocument]
  let archiveEndpoints: [WalletEndpointDocument]
  let resync: String
  let files: RestoredFilesDocument?
  let earlier: [EarlierArchiveDocument]

  init(
    _ outcome: RestoreOutcome, _ endpoints: [WalletEndpoint], _ earlier: [EarlierArchiveDocument] = []
  ) {
    let (recovered, report) = (outcome.recovered, outcome.recovered.report)
    archiveEndpoints = endpoints.map(WalletEndpointDocument.init)
    proofs = ProofDocument.all(report.proofs)
    olderShares = report.proofs.olderShares.map(OlderSharesDocument.init)
    hazards = outcome.wallets.map(HazardDocument.init)
    wallets = report.manifest.findings.map(FindingDocument.init)
    conflicts = outcome.merge?.conflicts.map(ConflictDocument.init) ?? []
    namesakes = outcome.merge?.namesakes.map(NamesakeDocument.init) ?? []
    merged = outcome.merge.map { MergeCountsDocument.bySection($0.counts) }
    previous = outcome.merge?.previous
    lost = report.losses.sections.map(LossDocument.init)
    lostScopes = report.losses.scopes.map(\.name)
    lostShares = report.losses.shares.map(LostShareDocument.init)
    orphans = outcome.orphans.map(OrphansDocument.init)
    archive = recovered.archive.digest.hex
    path = outcome.path
    stages = recovered.stages.map {
      Stage(name: $0.stage.rawValue, result: $0.result.sentence, seconds: $0.seconds, counts: $0.counts)
    }
    restored = Dictionary(uniqueKeysWithValues: report.restored.map { ($0.key.name, $0.value) })
    notRestored = SectionName.notRestored(report.closedScopes, report.unknownSections)
    missing = report.manifest.missing
    resync = recovered.resync.sentence
    files = RestoredFilesDocument(outcome.files)
    self.earlier = earlier
  }
}

extension RestoreDocument {
  /// Creates the document of a restore that was interrupted after everything was in place.
  init(_ journal: RestoreJournal) {
    archive = journal.digest
    path = journal.archive
    stages = journal.stages.map { Stage(name: $0, result: "done", seconds: 0, counts: [:]) }
    conflicts = []
    namesakes = []
    merged = nil
    previous = journal.previous
    restored = [:]
    notRestored = journal.notRestored ?? []
    missing = []
    lost = []
    lostScopes = []
    lostShares = []
    orphans = []
    proofs = []
    olderShares = []
    hazards = []
    wallets = []
    archiveEndpoints = []
    resync = "not run: the restore was stopped before it"
    files = nil
    earlier = []
  }
}

/// `restore --dry-run --json`.
struct RestorePlanDocument: Encodable {
  let schema = "fueki.restore/1"
  let dryRun = true
  let sections: [String]
  let plan: [String: MergeCountsDocument]
  let conflicts: [ConflictDocument]
  let namesakes: [NamesakeDocument]
  let notRestored: [String]
  let missing: [String]
  let lost: [LossDocument]
  let lostScopes: [String]
  let proofs: [ProofDocument]
  let olderShares: [OlderSharesDocument]
  let hazards: [HazardDocument]
  let wallets: [FindingDocument]

  init(_ preview: RestorePreview) {
    let plan = preview.plan
    missing = plan.manifest.missing
    proofs = ProofDocument.all(preview.proofs)
    olderShares = preview.proofs.olderShares.map(OlderSharesDocument.init)
    hazards = preview.wallets.map(HazardDocument.init)
    wallets = plan.manifest.findings.map(FindingDocument.init)
    sections = plan.sections.map(\.name)
    self.plan = MergeCountsDocument.bySection(preview.counts)
    conflicts = preview.merge?.conflicts.map(ConflictDocument.init) ?? []
    namesakes = preview.merge?.namesakes.map(NamesakeDocument.init) ?? []
    lost = plan.losses.sections.map(LossDocument.init)
    lostScopes = plan.losses.scopes.map(\.name)
    notRestored = SectionName.notRestored(plan.closedScopes, plan.unknownSections)
  }
}
