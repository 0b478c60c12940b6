internal import FuekiStore
internal import FuekiWallet

/// What an import came to, or would come to.
struct ImportLines {
  private let reports: [SourceReport]
  private let outcome: StoreImport.Outcome
  private let isDryRun: Bool

  init(_ reports: [SourceReport], _ outcome: StoreImport.Outcome, isDryRun: Bool) {
    self.reports = reports
    self.outcome = outcome
    self.isDryRun = isDryRun
  }

  func print(_ console: Console, isJSON: Bool) {
    guard !isJSON else { return Document.write(ImportDocument(reports, outcome, isDryRun: isDryRun)) }
    for report in reports { SourceLines.print(report, console) }
    let differing = outcome.differing
    let sections = Set(outcome.added.keys).union(outcome.equal.keys).union(differing.keys).sorted()
    for section in sections {
      let counts: [(UInt64, String)] = [
        (outcome.added[section] ?? 0, isDryRun ? "would be added" : "added"),
        (outcome.equal[section] ?? 0, isDryRun ? "are equal" : "were there already"),
        (outcome.replaced[section] ?? 0, isDryRun ? "would be replaced" : "replaced"),
        (
          (differing[section] ?? 0) - (outcome.replaced[section] ?? 0),
          isDryRun ? "differ" : "kept, which differ"
        ),
      ]
      let text = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      console.report("\(section.name): \(text)")
    }
    guard isDryRun else { return }
    let secrets: [Section] = [.keyShares, .privateKeys, .secretFiles]
    let count = reports.reduce(0) { sum, report in
      sum + secrets.reduce(0) { $0 + report.records(in: $1) }
    }
    if count > 0 { console.report("\(count) secrets would be compared with the keychain's") }
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

  enum CodingKeys: String, CodingKey {
    case schema, sources, added, equal, replaced, differing
    case dryRun = "dry_run"
  }

  init(_ reports: [SourceReport], _ outcome: StoreImport.Outcome, isDryRun: Bool) {
    func named(_ counts: [Section: UInt64]) -> [String: UInt64] {
      Dictionary(uniqueKeysWithValues: counts.map { ($0.key.name, $0.value) })
    }
    sources = reports.map(SourceDocument.init)
    dryRun = isDryRun
    added = named(outcome.added)
    equal = named(outcome.equal)
    replaced = named(outcome.replaced)
    differing = named(outcome.differing)
  }
}
