internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `create --json`.
struct CreateDocument: Encodable {
  /// The full archive that a differential one belongs to.
  struct Base: Encodable {
    let id: String
    let sequence: UInt64
  }

  let schema = "fueki.create/1"
  let archive: String
  let targets: [String]
  let id: String
  let sequence: UInt64
  let differential: Bool
  let base: Base?
  let fullReason: String?
  let longTerm: LongTermDocument
  let bytes: UInt64
  let sections: [String: UInt64]
  let sources: [SourceDocument]
  let declinedKeys: [DeclinedKeysDocument]
  let wallets: [FindingDocument]
  let shareChecks: [String]
  let losses: [AbsenceDocument]
  let moved: [MovedDocument]
  let unplaced: [UnplacedDocument]
  let failedTargets: [String]
  let recoveryFiles: [String]
  let withoutRecoveryFiles: [String]
  let copied: [CopiedDocument]
  let otherMachine: OtherMachineDocument?
  let undecidedVault: String?
  let beside: [String]
  let seconds: Double

  init(_ report: BackupReport, seconds: Double) {
    archive = report.paths.first ?? ""
    targets = report.paths
    id = report.archive.digest.hex
    longTerm = LongTermDocument(
      LongTerm(report.archive.slotsForTheLongTerm, base: report.baseSlotsForTheLongTerm))
    sequence = report.archive.facts.sequence
    differential = report.archive.facts.base != nil
    base = report.archive.facts.base.map {
      Base(id: $0.digest.hex, sequence: $0.sequence)
    }
    fullReason = report.fullReason?.code
    bytes = report.archive.byteCount
    sections = Dictionary(
      uniqueKeysWithValues: report.archive.recordCounts.map { (SectionName.of($0.key), $0.value) })
    sources = report.bundle.reports.map(SourceDocument.init)
    declinedKeys = report.bundle.reports.flatMap(\.declinedKeys).map(DeclinedKeysDocument.init)
    wallets = report.bundle.findings.map(FindingDocument.init)
    shareChecks = report.bundle.shareReport?.manifestLines ?? []
    losses = report.losses.map(AbsenceDocument.init)
    moved = report.moved.map(MovedDocument.init)
    unplaced = report.bundle.unplacedFiles.map(UnplacedDocument.init)
    failedTargets = report.failures.map(\.path.text)
    recoveryFiles = report.parity.map(\.name)
    let isNowhere = report.parityFailures.contains { $0.path.isEmpty }
    withoutRecoveryFiles = isNowhere ? report.paths : report.parityFailures.map(\.path.text)
    copied = report.copies.copied.map(CopiedDocument.init)
    otherMachine = report.otherMachine.map(OtherMachineDocument.init)
    undecidedVault = report.undecided?.hex
    beside = report.beside.map(\.hex)
    self.seconds = seconds
  }
}

/// A file that is in another place than in earlier archives, in JSON.
struct MovedDocument: Encodable {
  let from: String
  let to: String

  init(_ move: FileMove) { (from, to) = (move.from.text, move.to.text) }
}

/// The newest archive that another machine made, in JSON.
struct OtherMachineDocument: Encodable {
  let path: String
  let id: String
  let sequence: UInt64
  let created: String
  let signer: String?

  init(_ other: OtherMachine) {
    (path, id, sequence) = (other.path, other.newest.digest, other.newest.sequence)
    created = Times.text(other.created)
    signer = other.signer?.hex
  }
}

/// `create --dry-run --json`.
struct DryCreateDocument: Encodable {
  let schema = "fueki.create/1"
  let dryRun = true
  let sources: [SourceDocument]
  let declinedKeys: [DeclinedKeysDocument]
  let wallets: [FindingDocument]
  let shareChecks: [String]

  init(_ bundle: BackupBundle) {
    sources = bundle.reports.map(SourceDocument.init)
    declinedKeys = bundle.reports.flatMap(\.declinedKeys).map(DeclinedKeysDocument.init)
    wallets = bundle.findings.map(FindingDocument.init)
    shareChecks = bundle.shareReport?.manifestLines ?? []
  }
}

/// The contents and exclusions of one source.
struct SourceDocument: Encodable {
  struct Excluded: Encodable {
    let what: String
    let reason: String
    let byRequest: Bool

    var exclusion: Exclusion {
      var exclusion = Exclusion()
      (exclusion.what, exclusion.reason, exclusion.byRequest) = (what, reason, byRequest)
      return exclusion
    }
  }

  let name: String
  let included: [String: UInt64]
  let excluded: [Excluded]
  let complete: Bool

  init(_ report: SourceReport) {
    name = report.name
    included = report.included.reduce(into: [:]) { counts, included in
      counts[SectionName.of(UInt16(truncatingIfNeeded: included.section)), default: 0] += included.records
    }
    excluded = report.excluded.map { Excluded(what: $0.what, reason: $0.reason, byRequest: $0.byRequest) }
    complete = report.complete
  }
}

/// `create --on-change --json`, where nothing has changed.
struct UnchangedDocument: Encodable {
  let schema = "fueki.create/1"
  let unchanged = true
  let id: String
  let sequence: UInt64
  let sources: [SourceDocument]
  let declinedKeys: [DeclinedKeysDocument]
  let wallets: [FindingDocument]
  let shareChecks: [String]
  let losses: [AbsenceDocument]
  let failedTargets: [String]
  let copied: [CopiedDocument]
  let undecidedVault: String?

  init(_ unchanged: UnchangedArchive, _ bundle: BackupBundle) {
    id = unchanged.link.digest
    sequence = unchanged.link.sequence
    sources = bundle.reports.map(SourceDocument.init)
    declinedKeys = bundle.reports.flatMap(\.declinedKeys).map(DeclinedKeysDocument.init)
    wallets = bundle.findings.map(FindingDocument.init)
    shareChecks = bundle.shareReport?.manifestLines ?? []
    losses = unchanged.losses.map(AbsenceDocument.init)
    failedTargets = unchanged.failures.map(\.path.text)
    copied = unchanged.copies.copied.map(CopiedDocument.init)
    undecidedVault = unchanged.undecided?.hex
  }
}

extension BackupBundle {
  /// The files that `put-back` would leave in the archive on a machine like this one, or asks about.
  var unplacedFiles: [UnplacedFiles] {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else { return [] }
    let places = WalletsHere.places()
    return unplacedFiles(home: home) { places.answer($0, $1) }
  }
}

extension UnplacedFiles {
  /// How many there are, one of them, and why they stay in the archive, or what is asked.
  var sentence: String {
    let example = places.first ?? ""
    let more = places.count > 1 ? " and \(places.count - 1) more" : ""
    guard reason != .ownFiles else {
      return
        "put-back asks before it restores \(example)\(more), which is no wallet's: with --accept own-files, or on a terminal, it goes into a new folder. The archive's only key must be your passphrase, or its signer be typed from paper"
    }
    return "put-back leaves \(example)\(more) in the archive: \(reason.sentence)"
  }
}

/// Files that `put-back` would leave in the archive, in JSON.
struct UnplacedDocument: Encodable {
  let reason: String
  let places: [String]

  init(_ files: UnplacedFiles) { (reason, places) = (files.reason.rawValue, files.places) }
}
