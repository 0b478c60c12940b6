internal import FuekiBackup
internal import FuekiWallet

/// The result of an import, or its preview.
struct ImportLines {
  private let reports: [SourceReport]
  private let outcome: MergeReport
  private let isDryRun: Bool

  init(_ reports: [SourceReport], _ outcome: MergeReport, isDryRun: Bool) {
    self.reports = reports
    self.outcome = outcome
    self.isDryRun = isDryRun
  }

  func print(_ console: Console, isJSON: Bool) {
    guard !isJSON else { return Document.write(ImportDocument(reports, outcome, isDryRun: isDryRun)) }
    for report in reports { SourceLines.print(report, console) }
    for conflict in outcome.conflicts { console.warning(conflict.line(of: .importedFile)) }
    for namesake in outcome.namesakes { console.warning(namesake.line(of: .importedFile)) }
    for (section, merged) in outcome.counts.sorted(by: { $0.key < $1.key }) where merged.all > 0 {
      let replaced = outcome.replaced(in: section)
      let counts: [(UInt64, String)] = [
        (merged.added, isDryRun ? "would be added" : "added"),
        (merged.equal, isDryRun ? "are equal" : "were there already"),
        (replaced, isDryRun ? "would be replaced" : "replaced"),
        (merged.differing - min(replaced, merged.differing), isDryRun ? "differ" : "kept, which differ"),
      ]
      let text = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      console.report("\(section.name): \(text)")
    }
    guard isDryRun else { return }
    let secrets: [Section] = [.keyShares, .privateKeys, .secretFiles]
    let count = reports.reduce(0) { sum, report in
      sum + secrets.reduce(0) { $0 + report.records(in: $1) }
    }
    if count > 0 {
      console.report("\(Readable.count(count, "secret")) would be compared with the keychain's")
    }
    console.report("nothing was written (--dry-run)")
  }
}

/// `import --json`.
struct ImportDocument: Encodable {
  let schema = "fueki.import/1"
  let sources: [SourceDocument]
  let dryRun: Bool
  let added: [String: UInt64]
  let equal: [String: UInt64]
  let replaced: [String: UInt64]
  let differing: [String: UInt64]
  let conflicts: [ConflictDocument]
  let namesakes: [NamesakeDocument]

  init(_ reports: [SourceReport], _ outcome: MergeReport, isDryRun: Bool) {
    func named(_ count: (Section) -> UInt64) -> [String: UInt64] {
      let counts = outcome.counts.keys.map { ($0.name, count($0)) }.filter { $0.1 > 0 }
      return Dictionary(uniqueKeysWithValues: counts)
    }
    sources = reports.map(SourceDocument.init)
    dryRun = isDryRun
    added = named { outcome.counts[$0]?.added ?? 0 }
    equal = named { outcome.counts[$0]?.equal ?? 0 }
    replaced = named(outcome.replaced)
    differing = named { outcome.counts[$0]?.differing ?? 0 }
    conflicts = outcome.conflicts.map(ConflictDocument.init)
    namesakes = outcome.namesakes.map(NamesakeDocument.init)
  }
}

extension MergeReport {
  /// How many records of a section took the place of others.
  fileprivate func replaced(in section: Section) -> UInt64 {
    UInt64(conflicts.count { $0.section == section && $0.resolution == .replaced })
  }
}
