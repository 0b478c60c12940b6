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
    guard !isJSON else { return Document.write(outcome.document()) }
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
    _ outcome: RestoreOutcome, _ endpoints: [WalletEndpoint], _ earlier: [Members] = []
  ) {
    let report = outcome.recovered
    LossLines.print(report.archive, report.losses, report.manifest, console)
    LossLines.print(outcome.orphans, console)
    if report.restored.values.allSatisfy({ $0 == 0 }), !report.manifest.isOfSourcesAlone {
      console.warning("the archive has none of the things that you asked for. No record was restored")
    }
    LossLines.print(missing: report.manifest, console)
    guard !isJSON else { return Document.write(outcome.document(endpoints, earlier)) }
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
    guard !isJSON else { return Document.write(journal.document) }
    let what = missing.isEmpty ? "everything" : "what could be restored"
    console.report("the restore was already finished: \(what) is in place in \(journal.dataDirectory)")
    if let previous = journal.previous { console.report("the previous wallet is kept in \(previous)") }
    console.report("fueki-backup resync brings balances up to date")
  }

  /// Prints a preview of the restore.
  func print(_ preview: RestorePreview) {
    LossLines.print(missing: preview.plan.manifest, console)
    guard !isJSON else { return Document.write(preview.document) }
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

/// Wallets that are dangerous when old or live twice, as lines.
enum HazardLines {
  /// Warns of a wallet's dangers, with the alternatives.
  static func warn(_ wallet: HazardousWallet, _ console: Console) {
    for hazard in wallet.hazards {
      console.warning("the wallet \"\(wallet.name)\" (\(hazard)): \(WalletHazard.danger(of: hazard))")
      guard let remedy = WalletHazard(rawValue: hazard)?.remedy else { continue }
      console.warning("  instead: \(remedy)")
    }
  }
}

/// `restore --discard-previous`: what restores have replaced, and kept until now.
enum PreviousLines {
  /// Lists every directory that a restore kept, and removes them.
  ///
  /// It removes them only if the wallet that replaced them is intact. Until then one of them may be the better copy.
  static func discard(besideDataDirectory directory: String, dryRun: Bool, _ console: Console) throws {
    let lock = try Places.state().lock(
      purpose: "restore --discard-previous", processID: CurrentProcess.identifier)
    defer { withExtendedLifetime(lock) {} }
    let found = try PreviousDirectory.all(besideDataDirectory: directory)
    for one in found { console.line("\(one.path)  \(Readable.bytes(one.bytes))") }
    if !found.isEmpty { try PreviousDirectory.requireSound(dataDirectory: directory, inPlaceOf: found) }
    if !dryRun { for one in found { try one.remove() } }
    guard !console.isJSON else {
      return Document.write([
        "schema": "fueki.restore/1", "dryRun": dryRun,
        "discarded": found.map { ["path": $0.path, "bytes": $0.bytes] as Members },
      ])
    }
    switch (found.count, dryRun) {
    case (0, _): console.report("no restore has kept anything next to \(directory)")
    case (let count, true): console.report("nothing was removed (--dry-run): \(count) would go")
    case (let count, false): console.report("removed \(count)")
    }
  }
}
