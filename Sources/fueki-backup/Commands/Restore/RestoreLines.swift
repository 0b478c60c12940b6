internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem
internal import FuekiWallet

/// The result of a restore, or its preview, as lines or as a document.
struct RestoreLines {
  let console: Console
  let isJSON: Bool

  /// Prints the archive, its owner and its known faults.
  ///
  /// - Parameters:
  ///   - found: the archive.
  ///   - salvages: whether to restore what is whole of it; otherwise damage of more than a copy ends the run.
  func begin(_ found: FoundArchive, salvages: Bool) {
    console.note(OwnershipLines.restoring(found))
    for damage in found.stored.structuralDamage where salvages || damage.isOfACopy {
      console.warning("damaged, restored anyway: \(damage.sentence)")
    }
    if Authenticity(found.stored) == .unprovable {
      console.warning(
        "cannot prove who made it: it is unsigned, and more than one key holder could have made it")
    }
  }

  /// Shows an event.
  func show(_ event: RestoreEvent, _ progress: ProgressLine) throws {
    switch event {
    case .progress(let event): try StageLines.show(event, progress, console)
    case .beginsAnew(let archive):
      console.warning(
        "a restore of \(archive) was stopped here. This one starts over (--resume would have continued it)")
    case .journalUnreadable:
      console.warning("a restore was stopped here, and its journal cannot be read. This one starts over")
    case .stagedAnew: console.warning("cannot resume. Starting over")
    case .putBack(let path): try progress.show("put back \(path)")
    case .anotherVault:
      console.warning(
        "the archive belongs to another vault than the wallet on this machine, which keeps its own vault")
    case .vaultNotContinued(let isDamaged):
      let reason = isDamaged ? "the archive is damaged" : "nothing shows that this archive is yours"
      console.warning(
        "\(reason), so this machine does not continue its vault unasked. Compare its signer with your recovery kit, "
          + "and then accept it with \"fueki-backup key trust\"")
    }
  }

  /// Prints the results for things that an earlier archive has and a later one lacks.
  func print(adding outcome: RestoreOutcome) {
    let report = outcome.recovered
    LossLines.print(report.archive, report.losses, report.manifest, console)
    guard !isJSON else { return Document.write(RestoreDocument(outcome, [])) }
    warnOfClosedScopes(report)
    printPlace(of: outcome)
    ProofLines.print(report.proofs, console)
    outcome.files.print(console)
    RestoreRemainder(adding: outcome).print(console)
  }

  private func warnOfClosedScopes(_ report: RestoreReport) {
    for scope in report.closedScopes {
      console.warning("\(scope.name): not restored, because this secret does not open it")
    }
  }

  private func printPlace(of outcome: RestoreOutcome) {
    if let merge = outcome.merge {
      MergeLines.print(merge, outcome.dataDirectory, console)
    } else {
      console.report("restored to \(outcome.dataDirectory)")
    }
  }

  /// Prints the restored contents, and the next steps.
  func print(
    _ outcome: RestoreOutcome, _ endpoints: [WalletEndpoint], _ earlier: [EarlierArchiveDocument] = []
  ) {
    let report = outcome.recovered
    LossLines.print(report.archive, report.losses, report.manifest, console)
    LossLines.print(outcome.orphans, console)
    if report.restored.values.allSatisfy({ $0 == 0 }), !report.manifest.isOfSourcesAlone {
      console.warning("the archive has none of the things that you asked for. No record was restored")
    }
    LossLines.print(missing: report.manifest, console)
    guard !isJSON else { return Document.write(RestoreDocument(outcome, endpoints, earlier)) }
    for problem in report.manifest.problems.prefix(20) {
      console.warning("marked: \(problem.problem)")
    }
    warnOfClosedScopes(report)
    for id in report.unknownSections {
      console.warning("section \(id): not restored, because this version does not know it")
    }
    // The result first: what is known of it follows.
    printPlace(of: outcome)
    ProofLines.print(report.proofs, console)
    FindingLines.print(restored: report.manifest.findings, console)
    outcome.files.print(console)
    console.report(
      "stop backups on the old machine: two machines that back up one vault get in each other's way")
    if case .notRun = report.resync, report.restored[.wallets, default: 0] > 0 {
      console.report("balances are as they were in the backup: no chain was asked")
    }
    RestoreRemainder(outcome).print(console)
  }

  /// Prints a restore that had already finished when it was interrupted.
  func print(_ journal: RestoreJournal) {
    let missing = journal.notRestored ?? []
    for name in missing { console.warning("\(name): not restored") }
    guard !isJSON else { return Document.write(RestoreDocument(journal)) }
    let what = missing.isEmpty ? "everything" : "what could be restored"
    console.report("the restore was already finished: \(what) is in place in \(journal.dataDirectory)")
    if let previous = journal.previous { console.report("the previous wallet is kept in \(previous)") }
    console.report("fueki-backup resync brings balances up to date")
  }

  /// Prints a preview of the restore.
  func print(_ preview: RestorePreview) {
    LossLines.print(missing: preview.plan.manifest, console)
    guard !isJSON else { return Document.write(RestorePlanDocument(preview)) }
    for (section, count) in preview.counts.sorted(by: { $0.key < $1.key }) {
      console.report(
        "\(section.name): \(count.added) would be added, \(count.equal) are equal, \(count.differing) differ")
    }
    for conflict in preview.merge?.conflicts ?? [] {
      console.report("differs: \(conflict.line(of: .archive))")
    }
    for namesake in preview.merge?.namesakes ?? [] { console.warning(namesake.line(of: .archive)) }
    LossLines.print(preview.plan.archive, preview.plan.losses, preview.plan.manifest, console)
    for wallet in preview.wallets { HazardLines.warn(wallet, console) }
    ProofLines.print(preview.plan.proofs, console)
    FindingLines.print(restored: preview.plan.manifest.findings, console)
    console.report("nothing was written (--dry-run)")
  }
}

extension OwnershipLines {
  /// The line that every restore begins with.
  static func restoring(_ found: FoundArchive) -> String {
    let facts = found.stored.facts
    let place = found.siblings.filter { $0.facts.sequence > facts.sequence }.isEmpty
    let standing = "\(place ? "the newest" : "not the newest") of \(found.siblings.count) here"
    return
      "archive \(found.stored.statedDigest.shortID), number \(facts.sequence), made \(LocalTime.text(facts.created)), "
      + "\(OwnershipLines.signer(found)), \(standing)"
  }
}

extension ExitStatus {
  /// Creates the exit status of a restore.
  init(_ outcome: RestoreOutcome) {
    let isComplete = outcome.recovered.isComplete && outcome.files.isComplete
    self = isComplete ? outcome.recovered.resync.isIncomplete ? .resyncIncomplete : .done : .partial
  }

  /// Creates the exit status of a restore whose archive may lack things that earlier ones have.
  init(_ outcome: RestoreOutcome, isAllHere: Bool) {
    let status = ExitStatus(outcome)
    self = isAllHere || status != .done && status != .resyncIncomplete ? status : .partial
  }

  /// Creates the exit status of a restore of single things.
  ///
  /// A thing whose place was occupied was not restored.
  init(adding outcome: RestoreOutcome, items: [String]) {
    let kept = outcome.merge?.conflicts.filter { conflict in
      let isKept = conflict.resolution == .kept || conflict.resolution == .none
      return isKept && items.contains { $0.hasPrefix("\(conflict.section.name):") }
    }
    self.init(outcome, isAllHere: kept?.isEmpty ?? true)
  }

  /// Creates the exit status of a preview.
  init(_ preview: RestorePreview) {
    self = preview.plan.proofs.withheld.isEmpty && preview.plan.losses.isEmpty ? .done : .partial
  }

  /// Creates the exit status of a restore that had already finished when it was interrupted.
  init(_ journal: RestoreJournal) { self = (journal.notRestored ?? []).isEmpty ? .done : .partial }
}

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
    let report = outcome.recovered
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
    archive = report.archive.digest.hex
    path = outcome.path
    stages = report.stages.map {
      Stage(name: $0.stage.rawValue, result: $0.result.sentence, seconds: $0.seconds, counts: $0.counts)
    }
    restored = Dictionary(uniqueKeysWithValues: report.restored.map { ($0.key.name, $0.value) })
    notRestored = SectionName.notRestored(report.closedScopes, report.unknownSections)
    missing = report.manifest.missing
    resync = report.resync.sentence
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
    proofs = ProofDocument.all(preview.plan.proofs)
    olderShares = preview.plan.proofs.olderShares.map(OlderSharesDocument.init)
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
