internal import FuekiArchive
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSync
internal import FuekiWallet

/// What a restore came to, or would come to, as lines or as a document.
struct RestoreLines {
  let console: Console
  let isJSON: Bool

  /// What was restored, and what is to be done now.
  func print(
    _ outcome: RecoveryOutcome, _ merge: MergeReport?, _ orphans: [Orphans], _ wallets: [HazardousWallet],
    _ endpoints: [WalletEndpoint], path: String, _ directory: String
  ) {
    LossLines.print(outcome.archive, outcome.report.losses, console)
    LossLines.print(orphans, console)
    if outcome.report.restored.values.allSatisfy({ $0 == 0 }) {
      console.warning("the archive has nothing of what was asked for: no record was restored")
    }
    LossLines.print(missing: outcome.report.manifest, console)
    guard !isJSON else {
      return Document.write(RestoreDocument(outcome, merge, orphans, wallets, endpoints, path: path))
    }
    for problem in outcome.report.manifest.problems.prefix(20) {
      console.warning("marked: \(problem.problem)")
    }
    for scope in outcome.report.closedScopes {
      console.warning("\(scope.name): not opened by this secret, not restored")
    }
    for id in outcome.report.unknownSections {
      console.warning("section \(id) is unknown here, and was not restored")
    }
    ProofLines.print(outcome.report.proofs, console)
    if let merge {
      MergeLines.print(merge, directory, console)
    } else {
      console.report("restored to \(directory)")
    }
    console.report(
      "the old machine must stop making backups of this vault: two machines would fork its history")
    if case .notRun = outcome.resync {
      console.report("balances are those of the backup: nothing was asked of a chain")
    }
  }

  /// What would be restored.
  func print(
    _ plan: RestorePlan, _ counts: [Section: MergeCounts], _ report: MergeReport?,
    _ wallets: [HazardousWallet], _ proofs: ProofReport
  ) {
    LossLines.print(missing: plan.manifest, console)
    guard !isJSON else {
      return Document.write(RestorePlanDocument(plan, counts, report, wallets, proofs))
    }
    for (section, count) in counts.sorted(by: { $0.key < $1.key }) {
      console.report(
        "\(section.name): \(count.added) would be added, \(count.equal) are equal, \(count.differing) differ")
    }
    for conflict in report?.conflicts ?? [] { console.report("differs: \(conflict.line(of: .archive))") }
    for namesake in report?.namesakes ?? [] { console.warning(namesake.line(of: .archive)) }
    LossLines.print(plan.archive, plan.losses, console)
    for wallet in wallets { HazardLines.warn(wallet, console) }
    ProofLines.print(proofs, console)
    console.report("nothing was written (--dry-run)")
  }
}
