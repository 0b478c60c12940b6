internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `status` as people read it: what is wrong first, then each target, each wallet, and the timer.
struct StatusLines {
  let console: Console
  /// The present, in seconds.
  let now: Int64
  /// Whether to leave out what is well.
  var isProblemsOnly = false

  private static let shownParts = 20

  func print(_ report: StatusReport) {
    if let expected = report.expected {
      ExpectedLines(console: console, isProblemsOnly: isProblemsOnly)
        .print(expected, unjudged: report.unjudged)
    }
    let reports = report.targets
    let troubled = report.troubled
    // "All is well" of the targets would contradict a list that is not as expected.
    if !console.isQuiet, report.expected == nil || !troubled.isEmpty {
      if report.expected != nil { console.line("") }
      console.line(summary(reports, troubled))
    }
    for target in troubled { printTrouble(target, report) }
    guard !console.isQuiet, !isProblemsOnly else { return }
    // With a list, the tables of many targets would hide the problems, and the timer is another machine's.
    if report.expected == nil || console.isVerbose {
      printTargets(reports)
      printWallets(reports.flatMap(\.vaults))
      console.line("")
      console.line(timer)
    }
    for line in advice(troubled) { console.line(line) }
  }

  private func summary(_ reports: [TargetStatus], _ troubled: [TargetStatus]) -> String {
    let made = reports.flatMap(\.vaults).compactMap(\.made).max()
    let newest =
      made.map {
        $0 > now + StatusProblem.Age.tolerance
          ? "the last archive is dated in the future" : "the last archive was made \(age($0))"
      }
      ?? (reports.allSatisfy(\.vaults.isEmpty) && !troubled.isEmpty
        ? "no archive is in reach" : "there is no archive")
    guard !troubled.isEmpty else { return "All is well: \(newest)." }
    let all = reports.count == 1 ? "the only target" : "\(troubled.count) of \(reports.count) targets"
    return "Something needs you in \(all): \(newest)."
  }

  private func printTrouble(_ report: TargetStatus, _ whole: StatusReport) {
    console.line("\(report.path):")
    for problem in whole.sentences(report.problems) { console.line("  PROBLEM: \(problem)") }
    for vault in report.vaults {
      let prefix = report.vaults.count > 1 ? "\(Self.name(of: vault)): " : ""
      for problem in whole.sentences(vault.problems) { console.line("  PROBLEM: \(prefix)\(problem)") }
      let missing = vault.missing
      for part in missing.prefix(Self.shownParts) { console.line("  MISSING: \(prefix)\(part)") }
      let more = missing.count - Self.shownParts
      if more > 0 { console.line("  MISSING: \(prefix)\(Readable.count(more, "more part"))") }
      if let other = vault.otherMachine {
        console.line("  ANOTHER MACHINE: \(prefix)\(other.statusSentence)")
      }
    }
  }

  private func printTargets(_ reports: [TargetStatus]) {
    var table = TextTable(["VAULT", "NEWEST", "CREATED", "VERIFIED", "DRILLED", "PRUNED", "KIT", "TARGET"])
    for report in reports {
      for vault in report.vaults {
        let newest = vault.newest.map { "\($0.statedDigest.shortID), number \($0.facts.sequence)" }
        let failed = [Activity.Kind.drill: vault.failedDrill, .verify: vault.failedVerification]
        let kinds: [Activity.Kind] = [.create, .verify, .drill, .prune, .kit]
        let ages = kinds.map { kind in
          failed[kind]?.map { "failed \(age($0))" }
            ?? (kind == .create ? vault.made : vault.last[kind]).map(age) ?? "never"
        }
        table.add([Self.name(of: vault), newest ?? "none"] + ages + [report.path])
      }
    }
    guard !table.isEmpty else { return }
    console.line("")
    for line in table.lines(on: Screen(.output)) { console.line(line) }
  }

  private func printWallets(_ vaults: [VaultStatus]) {
    var findings: [WalletFinding] = []
    for finding in vaults.flatMap(\.findings) where !finding.isFaulty && !findings.contains(finding) {
      findings.append(finding)
    }
    var notes: [String] = []
    for vault in vaults {
      notes += DeclinedKeysLines.lines(vault.declinedKeys)
      guard let count = vault.placedFiles, count > 0 else { continue }
      let place = count == 1 ? "it to its place" : "them to their places"
      notes.append("files: \(PlacedFileCount.text(count)). put-back returns \(place)")
    }
    guard !findings.isEmpty || !notes.isEmpty else { return }
    console.line("")
    if !findings.isEmpty { console.line("WALLETS") }
    FindingLines.print(findings, indentedBy: 0, console)
    var seen: Set<String> = []
    for note in notes where seen.insert(note).inserted { console.line(note) }
  }

  /// The folders with systemd's timers, and with links to the enabled ones of packages.
  static var timerFolders: [String] {
    [(try? UserUnits())?.folder, "/etc/systemd/user"].compactMap(\.self)
      .flatMap { [$0, "\($0)/timers.target.wants"] } + ["/etc/systemd/system"]
  }

  private var timer: String {
    var names: Set<String> = []
    let timers = Self.timerFolders.flatMap { folder in
      ((try? Directory.open(folder).list()) ?? []).compactMap(\.text)
        .filter { $0.hasPrefix("fueki-backup") && $0.hasSuffix(".timer") && names.insert($0).inserted }
        .sorted().map { "\(folder)/\($0)" }
    }
    guard timers.isEmpty else { return "timer: \(timers.joined(separator: ", "))" }
    return "timer: none of systemd; \"fueki-backup schedule install\" makes one"
  }

  private func advice(_ troubled: [TargetStatus]) -> [String] {
    guard !troubled.isEmpty else { return [] }
    var lines: [String] = []
    if troubled.contains(where: { !$0.isWell }) {
      lines.append("now: \"fueki-backup doctor\" explains what to do")
    }
    if troubled.contains(where: { $0.vaults.contains(where: \.lacksAnything) }) {
      lines.append(
        "now: bring back what is missing, and run \"fueki-backup create\". Or accept the loss there")
    }
    return lines
  }

  private func age(_ time: Int64) -> String { Readable.ago(now - time) }

  private static func name(of vault: VaultStatus) -> String {
    vault.name ?? String(vault.vault.hex.prefix(8))
  }
}

extension StatusProblem {
  /// Returns the problem in a sentence, with what to do.
  ///
  /// It has no full stop. `name` returns a vault's name for display.
  func sentence(_ name: @escaping (VaultID) -> String?) -> String {
    switch self {
    case .unreachable(let made, let error): AbsentTarget(made, name: name).sentence(about: error)
    case .unread(let files):
      files.first.flatMap { DeniedArchives(of: files, in: Target(holding: $0.path)) }.map {
        "\($0.sentence). To read them, \($0.hint)"
      } ?? (files.first?.readError?.sentence ?? "a file cannot be read")
        + (files.count > 1 ? ", and \(files.count - 1) more cannot be read" : "")
    case .broken(let files):
      "\(files.first?.name ?? "an archive") is \((files.first?.state ?? .damaged).rawValue), and no whole archive of "
        + "its vault is newer"
        + (files.count > 1 ? ". \(Readable.count(files.count - 1, "more file")) as well" : "")
    case .empty(let hasFolders):
      "no archive was ever made here"
        + (hasFolders ? ". Its folders have archives: use --recursive, or name them" : "")
    case .gone(let archive):
      "archive \(archive.prefix(12)), which was last made here, is gone. If you did not remove it, look for it on "
        + "your other disks, or make a new one: fueki-backup create"
    case .behind(let lag): lag.sentence
    case .noArchive(let areOthersThere): "there is no whole archive" + (areOthersThere ? " of yours" : "")
    case .damaged(let digest, nil): "the newest archive, \(digest.shortID), is damaged: make a new one"
    case .damaged(let digest, let time?):
      "the newest archive, \(digest.shortID), is damaged, as verify found on \(Times.text(time)): make a new one"
    case .baseDamaged(let base, of: let digest, let time):
      "\(base.shortID), the base of the newest archive, \(digest.shortID), is damaged, as verify found on "
        + "\(Times.text(time)): make a new archive with create --full"
    case .age(let dated, .never): "\(dated.sentence): never"
    case .age(let dated, .future):
      "\(dated.sentence) is dated in the future: this machine's clock, or the one that dated it, is wrong"
    case .age(let dated, .seconds(let age)): "\(dated.sentence) is \(Readable.age(age)) old"
    case .verificationFailed(let time?): "the last verification, on \(Times.text(time)), failed"
    case .verificationFailed(nil): "the last verification failed"
    case .drillDiffered(let digest):
      "the last drill, of \(digest.shortID), found that what came back differs from the archive"
    case .emptied(let parts):
      "the last run made no archive, because the machine looks emptied: "
        + parts.map(\.sentence).joined(separator: ", ")
    case .faulty(let finding): finding.line
    case .state(let error): Failure(describing: error).message
    case .stated(let sentence): sentence
    }
  }
}

extension LateVaults {
  /// A sentence about each vault.
  var sentences: [String] {
    vaults.map { vault in
      let name = vault.label.map { "\($0) (vault \(vault.id.hex.prefix(8)))" } ?? "vault \(vault.id.hex)"
      return switch vault.age {
      case .seconds(let age): "\(name): the newest archive is \(Readable.age(age)) old"
      case .future, .never: "\(name): the newest archive is dated in the future"
      }
    }
  }
}

extension StatusProblem.Dated {
  fileprivate var sentence: String {
    switch self {
    case .archive: "the last archive"
    case .verification: "the last verification"
    case .drill: "the last drill that went well"
    }
  }
}

extension VaultStatus {
  /// The newest archive's gaps, then the things that only earlier archives have.
  var missing: [String] { gaps + losses.map(\.sentence) }
}

/// A target that cannot be read, and what this machine knows of its archives.
struct AbsentTarget {
  private let made: [Activity]
  private let name: (VaultID) -> String?

  /// `name` returns a vault's name for display.
  init(_ activities: [Activity], name: @escaping (VaultID) -> String?) {
    made = activities
    self.name = name
  }

  /// The fault, the archives that it concerns, and what to do.
  func sentence(about error: any Error) -> String {
    let failure = Failure(describing: error)
    guard case .noTarget? = error as? TargetError else {
      guard case .otherFileSystem? = error as? TargetError else { return failure.message }
      return "\(failure.message). \(concerned)Mount the disk, and run this again"
    }
    return "\(failure.message). \(concerned)Plug in or mount its disk, and run this again"
  }

  /// The archives on it; empty if this machine made none there.
  private var concerned: String {
    guard !made.isEmpty else { return "" }
    let all = made.map { activity in
      let vault = VaultID(hex: activity.vault).flatMap(name) ?? String(activity.vault.prefix(8))
      let number = activity.sequence.map { "up to number \($0), " } ?? ""
      return
        "archives of vault \(vault) \(number)the last made \(Times.text(UInt64(clamping: activity.time)))"
    }
    return "It has " + all.joined(separator: ", and ") + ". "
  }
}
