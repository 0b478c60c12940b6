internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiWallet

/// A drill's result as lines.
struct DrillLines {
  private let console: Console

  init(_ console: Console) { self.console = console }

  func print(_ report: DrillReport, _ statement: DrillStatement) {
    for scope in report.recovery.report.closedScopes {
      console.warning("\(scope.name): not drilled, because this secret does not open it")
    }
    for id in report.recovery.report.unknownSections {
      console.warning("section \(id): not drilled, because this version does not know it")
    }
    for set in report.shares.sets { console.line("key shares: \(set.summary)") }
    let proofs = report.recovery.report.proofs
    for proof in proofs.differences { console.line("\(ProofLines.name(of: proof)): \(proof.sentence)") }
    if let sentence = proofs.tally.sentence { console.line(sentence) }
    if let live = report.live { print(live: live) }
    if !report.difference.isEmpty {
      console.line("what was restored differs from the archive:")
      DiffLines(console).print(report.difference)
    }
    for file in report.brokenFiles {
      let name = String(decoding: file.place ?? file.path, as: UTF8.self)
      console.line("\(name): cannot be put back, because the archive does not have the whole file")
    }
    let name = "\(statement.digest.shortID), number \(statement.sequence)"
    switch statement.result {
    case .same:
      console.line("\(name): all \(report.records) records came back as they were. Everything is wiped")
    case .partial:
      console.line("\(name): the \(report.records) records that this secret opens came back as they were")
    case .differs: console.line("\(name): DIFFERS. The archive is unchanged, but do not rely on it alone")
    }
    if statement.signature == nil {
      console.note("the result is stored unsigned: this machine has no signing key for the vault")
    }
  }

  /// Counts alone: that a wallet has moved on is no fault.
  private func print(live: BundleDifference) {
    for name in live.notCompared { console.warning("\(name): not compared") }
    let parts = live.sections.filter { !$0.isEmpty }.map { "\($0.section.name): \($0.countsText)" }
    console.line(
      parts.isEmpty
        ? live.notCompared.isEmpty
          ? "the wallet has not changed since the archive" : "what was compared of the wallet has not changed"
        : "the wallet since then: \(parts.joined(separator: "; "))")
  }
}

/// `drill --json`.
struct DrillDocument: Encodable {
  struct Shares: Encodable {
    let sound: Bool
    let enough: Bool
    let sets: Int
  }

  let schema = "fueki.drill/1"
  let archive: String
  let path: String
  let vault: String
  let sequence: UInt64
  let time: String
  let result: String
  let records: UInt64
  let inMemory: Bool
  let stages: [RestoreDocument.Stage]
  let restored: [String: UInt64]
  let differences: [String: DiffDocument.Changes]
  let notRestored: [String]
  let proofs: [ProofDocument]
  let shares: Shares?
  let live: [String: DiffDocument.Changes]?
  let liveNotCompared: [String]?
  let signer: String?
  let line: String

  init(_ outcome: DrillOutcome) {
    let (report, statement) = (outcome.report, outcome.statement)
    archive = statement.digest.hex
    path = outcome.path
    vault = statement.vaultID.hex
    sequence = statement.sequence
    time = Times.text(statement.time)
    result = statement.result.rawValue
    records = statement.records
    inMemory = outcome.wasInMemory
    stages = report.recovery.stages.map {
      RestoreDocument.Stage(
        name: $0.stage.rawValue, result: $0.result.sentence, seconds: $0.seconds, counts: $0.counts)
    }
    restored = Dictionary(
      uniqueKeysWithValues: report.recovery.report.restored.map { ($0.key.name, $0.value) })
    differences = DiffDocument.changes(report.difference).filter { !$0.value.isEmpty }
    notRestored = SectionName.notRestored(
      report.recovery.report.closedScopes, report.recovery.report.unknownSections)
    proofs = ProofDocument.all(report.recovery.report.proofs)
    let sets = report.shares.sets
    shares =
      sets.isEmpty
      ? nil : Shares(sound: report.shares.isSound, enough: report.shares.isEnough, sets: sets.count)
    live = report.live.map { DiffDocument.changes($0).filter { !$0.value.isEmpty } }
    liveNotCompared = report.live?.notCompared
    signer = statement.signature?.signer.hex
    line = statement.line
  }
}

extension DiffDocument.Changes {
  var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}
