internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The events and the result of a backup, as lines or as a document.
struct CreateLines {
  let console: Console
  let isJSON: Bool

  /// Shows an event.
  func show(_ event: BackupEvent, _ progress: ProgressLine) throws {
    switch event {
    case .progress(let event): try progress.show(event.text, event.amount)
    case .comparing: try progress.show("comparing")
    case .compared: progress.clear()
    case .lastIsDamaged(let link, let target):
      console.warning("archive \(link.digest.prefix(12)) in \(target) is damaged: a new one is made")
    case .continues(let vault, let sequence):
      console.note(vault.recognized + "this backup continues after number \(sequence)")
    case .published: break
    }
  }

  /// Prints the outcome.
  ///
  /// - Parameters:
  ///   - outcome: the outcome.
  ///   - mayBegin: whether this machine may get a vault of its own.
  ///   - seconds: how long it took.
  func print(_ outcome: BackupOutcome, mayBegin: Bool, seconds: Double) {
    switch outcome {
    case .made(let report): print(report, mayBegin, seconds: seconds)
    case .unchanged(let unchanged, let bundle): print(unchanged, mayBegin, bundle)
    }
  }

  private func print(_ report: BackupReport, _ mayBegin: Bool, seconds: Double) {
    for warning in report.warnings { console.warning(warning.sentence) }
    for path in report.strangers {
      console.warning(
        OwnershipLines.passedOver(path, .stranger)
          + ". If another machine of yours made it, make backups on one of the two only")
    }
    ParityLines.warn(report.parityFailures, console)
    CopyLines.warn(report.copies, console)
    if let other = report.otherMachine { console.warning(other.sentence) }
    if let error = report.tableError {
      console.warning(
        "the next archive will be a full one again, because what it needs from this one could not be kept: "
          + Failure(describing: error).message)
    }
    if let reason = report.fullReason, reason.isTrouble {
      console.warning("a full archive was made, because \(reason.sentence)")
    }
    guard !isJSON else { return Document.write(document(report, seconds: seconds)) }
    // The result first: what it is made of follows.
    for path in report.paths { console.report(path) }
    console.report(
      "archive \(report.archive.digest.shortID), number \(report.archive.facts.sequence) of its vault, "
        + "\(Readable.bytes(report.archive.byteCount)), read back and verified in \(Readable.seconds(seconds))"
    )
    if let base = report.archive.facts.base {
      console.report(
        "it holds only what differs from archive \(base.digest.shortID), number \(base.sequence): a restore needs both"
      )
    } else if let reason = report.fullReason, !reason.isTrouble, reason != .asked {
      console.report("it holds everything, because \(reason.sentence)")
    }
    ParityLines.print(report.parity, console)
    CopyLines.print(report.copies, console)
    for failure in report.failures {
      console.warning("\(failure.path) has no copy: \(Failure(describing: failure.error).message)")
    }
    printWorth(of: report.bundle)
    for source in report.bundle.reports { SourceLines.print(source, console) }
    // Once without an option that hides it: it may be a wallet that this program should read.
    if console.isQuiet { for file in report.newlyUnread { console.line("kept, not read: \(file)") } }
    printDeclined(in: report.bundle)
    for files in report.bundle.unplacedFiles { console.report(files.sentence) }
    for move in report.moved { console.report(move.sentence) }
    AbsenceLines.print(
      report.losses, leavingOut: report.leftOutSources, besidesOther: mayBegin && report.isLossElsewhere,
      console)
    WhichVault.report(undecided: report.undecided, beside: report.beside, console)
  }

  private func print(_ unchanged: UnchangedArchive, _ mayBegin: Bool, _ bundle: BackupBundle) {
    CopyLines.warn(unchanged.copies, console)
    guard !isJSON else { return Document.write(document(unchanged, bundle)) }
    for source in bundle.reports where !source.complete { SourceLines.print(source, console) }
    printDeclined(in: bundle)
    AbsenceLines.print(
      unchanged.losses, leavingOut: [], besidesOther: mayBegin && unchanged.isLossElsewhere, console)
    WhichVault.report(undecided: unchanged.undecided, beside: [], console)
    printWorth(of: bundle)
    for failure in unchanged.failures {
      console.warning("\(failure.path) could not be checked: \(Failure(describing: failure.error).message)")
    }
    console.report(
      "nothing changed since archive \(unchanged.link.digest.prefix(12)), number \(unchanged.link.sequence) of "
        + "its vault. No archive was made")
    CopyLines.print(unchanged.copies, console)
  }

  /// Prints the contents of a planned archive.
  func print(planned bundle: BackupBundle) {
    guard !isJSON else { return Document.write(bundle.document + ["dryRun": true]) }
    for source in bundle.reports { SourceLines.print(source, console) }
    printDeclined(in: bundle)
    printWorth(of: bundle)
    console.report("nothing was written (--dry-run)")
  }

  private func printDeclined(in bundle: BackupBundle) {
    for line in DeclinedKeysLines.lines(bundle.reports.flatMap(\.declinedKeys)) { console.report(line) }
  }

  /// Prints the records that break rules, and the findings on the backup of each wallet.
  private func printWorth(of bundle: BackupBundle) {
    for problem in bundle.problems.prefix(20) {
      let isOfShare = problem.section == UInt32(Section.keyShareDescriptors.rawValue)
      let what =
        isOfShare ? "key shares" : "a record of section \(problem.section) breaks its chain's rules"
      console.warning("\(what) (kept anyway): \(problem.problem)")
    }
    for set in bundle.shareReport?.sets ?? [] { console.report("key shares: \(set.summary)") }
    FindingLines.print(bundle.findings, console)
  }
}

extension FileMove {
  /// Both places, in words.
  fileprivate var sentence: String {
    isCopy ? "removed: file \(from), of which \(to) is a copy" : "moved: file \(from) is now \(to)"
  }
}

extension UnplacedFiles {
  /// How many there are, one of them, and why they stay in the archive, or what is asked.
  fileprivate var sentence: String {
    let example = places.first ?? ""
    let more = places.count > 1 ? " and \(places.count - 1) more" : ""
    guard reason != .ownFiles else {
      return
        "put-back asks before it restores \(example)\(more), which is no wallet's: with --accept own-files, or on a terminal, it goes into a new folder. The archive's only key must be your passphrase, or its signer be typed from paper"
    }
    return "put-back leaves \(example)\(more) in the archive: \(reason.sentence)"
  }
}

extension OtherMachine {
  /// The other machine's archive, in words.
  private var finding: String {
    let signed = signer.map { ", signed by \($0.fingerprint)" } ?? ""
    return "another machine has backed up this vault since this machine did: archive \(newest.sequence) of "
      + "\(Times.text(created))\(signed)."
  }

  /// The advice.
  private var advice: String {
    "Run backups on one of the two machines only. To bring here what the other one saved: fueki-backup restore "
      + ShellWord.quoted(path)
  }

  /// Reports the other machine's archive after a backup, and how to restore its contents.
  fileprivate var sentence: String {
    "\(finding) Wallets that were added there are in that archive and not in this one. \(advice)"
  }

  /// Reports the other machine's archive without a backup.
  var statusSentence: String { "\(finding) \(advice)" }
}

extension BackupOutcome {
  /// The things of worth in the newest archive, and those that only earlier ones have.
  var inventory: Inventory? {
    switch self {
    case .made(let report): report.inventory
    case .unchanged(let unchanged, _): unchanged.inventory
    }
  }
}

extension ExitStatus {
  /// Creates the exit status of a backup.
  init(_ outcome: BackupOutcome) {
    switch outcome {
    case .made(let report): self.init(report.bundle, isComplete: report.isComplete)
    case .unchanged(let unchanged, let bundle):
      self.init(
        bundle,
        isComplete: unchanged.failures.isEmpty && unchanged.losses.isEmpty && unchanged.copies.isComplete
          && unchanged.undecided == nil && bundle.reports.allSatisfy(\.complete))
    }
  }

  /// A faulty wallet outranks a missing part, because the part may still be available elsewhere.
  init(_ bundle: BackupBundle, isComplete: Bool) {
    let isSound = (bundle.shareReport?.isSound ?? true) && !bundle.findings.contains(where: \.isFaulty)
    let isRead = !bundle.findings.contains(where: \.isUnread)
    self = isSound ? isComplete && isRead ? .done : .partial : .differs
  }
}

extension RunFacts {
  /// Notes the archive that was made.
  func note(_ report: BackupReport) {
    guard let path = report.paths.first else { return }
    note(archive: path, digest: report.archive.digest, sequence: report.archive.facts.sequence)
  }
}

extension BackupProgress {
  /// The current step, in a few words.
  var text: String {
    switch self {
    case .collecting(let source): "collecting \(source)"
    case .sealing: "deriving keys"
    case .writing(let section, _, _): "writing \(section.name)"
    case .readingBack: "reading back"
    case .checkingBase: "reading the last full archive"
    case .checking: "checking the archive"
    case .makingParity: "computing recovery files"
    case .publishing(let target): "copying to \(target)"
    }
  }

  /// The progress of the step, if known.
  var amount: ProgressAmount? {
    switch self {
    case .writing(_, let records, let all): ProgressAmount(done: records, all: all, unit: .records)
    case .readingBack(let bytes, let all): ProgressAmount(done: bytes, all: all, unit: .bytes)
    case .makingParity(let percent): ProgressAmount(done: UInt64(max(0, percent)), all: 100, unit: .percent)
    default: nil
    }
  }
}

extension TargetWarning {
  /// The missing guarantee, and its consequence.
  var sentence: String {
    switch kind {
    case .permissions: "\(path) cannot restrict permissions: others may copy the archive, but it stays sealed"
    case .fileNotSynced, .nameNotSynced:
      "\(path) does not confirm that the archive is on the disk: wait before you unplug it or cut the power"
    }
  }
}

/// The contents and exclusions of a source, as lines.
enum SourceLines {
  static func print(_ report: SourceReport, _ console: Console) {
    let counts = report.included.compactMap { included in
      Section(rawValue: UInt16(truncatingIfNeeded: included.section)).map {
        Readable.records(included.records, of: $0.name)
      }
    }
    console.report("\(report.name): \(counts.isEmpty ? "nothing" : counts.joined(separator: ", "))")
    for excluded in report.excluded {
      let fate = excluded.fate(isComplete: report.complete, missing: "MISSING")
      let text = "  \(fate): \(excluded.what): \(excluded.bareReason)"
      if fate == "MISSING" { console.line(text) } else { console.report(text) }
    }
  }
}

/// The results for an archive's recovery files.
enum ParityLines {
  /// Warns of requested recovery files that are missing.
  static func warn(_ failures: [TargetFailure], _ console: Console) {
    for failure in failures {
      let place = failure.path.isEmpty ? "" : " in \(failure.path)"
      let failure = Failure(describing: failure.error)
      console.warning(
        "the archive\(place) has no recovery files: \(failure.message)"
          + (failure.hint.map { "; \($0)" } ?? ""))
    }
  }

  /// Prints their total length.
  static func print(_ files: [ParityFile], _ console: Console) {
    guard !files.isEmpty else { return }
    let bytes = files.reduce(0) { $0 + $1.byteCount }
    console.report("recovery files next to it: \(Readable.bytes(bytes))")
  }
}
