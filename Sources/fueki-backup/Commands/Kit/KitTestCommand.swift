internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `kit test`: compares the paper, as typed by the user, with the current state.
struct KitTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Type back what the paper says, and try the passphrase on the newest archive.",
    discussion: "Asks on a terminal for what no option says. Ends with status 60 if something differs.")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("The last 8 digits of the vault's id.", valueName: "digits"))
  var vaultDigits: String?
  @Option(help: ArgumentHelp("The last 8 digits of the signer's key, or \"none\".", valueName: "digits"))
  var signerDigits: String?
  @Option(help: ArgumentHelp("The number of the newest archive.", valueName: "number"))
  var archiveNumber: String?
  @Option(help: ArgumentHelp("The last 8 digits of the newest archive's id.", valueName: "digits"))
  var archiveDigits: String?
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    try secrets.readCommand(console)
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let progress = try output.progressLine
    let subject = try KitSubject(
      archive, in: targets.targets(configuration), trust, configuration, console, signs: false
    ) {
      try progress.show("verifying")
    }
    progress.clear()
    let comparison = KitComparison(subject)
    var findings: [KitFinding] = []
    func add(_ finding: KitFinding) {
      findings.append(finding)
      console.line("\(finding.what): \(finding.verdict.text)" + (finding.detail.map { ": \($0)" } ?? ""))
    }
    add(try asked(vaultDigits, "the last 8 digits of the vault", comparison.vault))
    add(try asked(signerDigits, "the last 8 digits of the signer, or none", comparison.signer))
    var number = ""
    let counted = try asked(archiveNumber, "the number of the newest archive") { typed in
      number = typed
      return comparison.archive(number: typed)
    }
    add(
      counted.verdict == .wrong
        ? counted
        : try asked(archiveDigits, "the last 8 digits of its id") {
          comparison.archive(number: number, digits: $0)
        })
    add(try unlocking(subject, configuration, console))
    if output.json {
      Document.write([
        "schema": "fueki.kit-test/1",
        "ok": findings.allSatisfy { $0.verdict == .right || $0.verdict == .unknown },
        "vault": subject.facts.vaultID.hex,
        "archive": subject.archive.digest.hex,
        "findings": findings.map {
          ["what": $0.what, "result": $0.verdict.rawValue, "detail": $0.detail] as Members
        },
      ])
    }
    try end(findings, subject, console)
  }

  private func end(_ findings: [KitFinding], _ subject: KitSubject, _ console: Console) throws {
    let wrong = findings.filter { $0.verdict == .wrong }.map(\.line)
    guard wrong.isEmpty else {
      console.note("the paper differs from what is here: \(wrong.joined(separator: "; ")).")
      console.note(
        "Nothing is lost. Look at the paper again and repeat the test. If the paper is wrong, print a new page with "
          + "\"kit print\", test that page, and keep this one until then.")
      throw ExitStatus.differs
    }
    guard !findings.contains(where: { $0.verdict == .notTried }) else {
      throw ExitStatus.partial
    }
    let state = try Places.state()
    for target in subject.holders {
      try? state.note(
        .kit, target: target.text, vault: subject.facts.vaultID, archive: subject.archive.digest,
        sequence: subject.facts.sequence)
    }
    console.report("the paper brings the wallet back")
  }

  /// Compares an answer.
  ///
  /// At a prompt, the user may mistype it twice.
  private func asked(
    _ given: String?, _ question: String, _ compare: (String) -> KitFinding
  ) throws -> KitFinding {
    if let given { return compare(given) }
    guard Terminal.isAvailable else {
      throw CommandError.usage(
        "there is no terminal to ask on: use --vault-digits, --signer-digits, --archive-number and --archive-digits"
      )
    }
    var complaint = ""
    for left in (1..<Asking.tries).reversed() {
      let finding = compare(try typed(complaint, question))
      guard finding.verdict == .wrong else { return finding }
      complaint =
        TerminalText.line("That is not what is here. Look at the paper and try again (\(left) left).") + "\n"
    }
    return compare(try typed(complaint, question))
  }

  private func typed(_ complaint: String, _ question: String) throws -> String {
    try Terminal.readLine(prompt: complaint + TerminalText.line("\(question): ")) ?? ""
  }

  /// A real unlocking of the archive: that a passphrase looks right proves nothing.
  private func unlocking(
    _ subject: KitSubject, _ configuration: Configuration, _ console: Console
  ) throws -> KitFinding {
    let stored = subject.archive.source
    let asks = stored.slots.contains { $0.type == .passphrase || $0.type == .passphraseAndKeyFile }
    var unlocking = try secrets.unlockingWithoutAsking(console)
    let names = configuration.slotNames(of: stored)
    if unlocking == nil, asks, Terminal.isAvailable {
      // It asks up to three times, and returns the last answer.
      unlocking = try secrets.unlocking(stored, names, console)
    }
    let what = "secret"
    guard let unlocking else {
      return KitFinding(
        what: what, verdict: .notTried,
        detail: "use a passphrase, an --identity or --guardian-shares that open the archive")
    }
    let opened: [Int]
    do throws(ArchiveError) {
      opened = try subject.archive.unlockAlone(with: unlocking).openedSlots
    } catch {
      guard error.verdict == .wrongSecret else { throw error }
      return KitFinding(
        what: what, verdict: .wrong,
        detail: "it does not open archive \(subject.facts.sequence), which opens with \(stored.openers). "
          + "For a passphrase, check keyboard layout, capitals and spaces. If the passphrase was changed after the page was "
          + "printed, print a new page")
    }
    let slots = opened.map { names.label($0, of: stored.slots.count) }.joined(separator: ", ")
    return KitFinding(what: what, verdict: .right, detail: "it opens \(slots)")
  }
}

extension KitFinding.Verdict {
  /// The verdict as people read it.
  var text: String {
    switch self {
    case .right: "right"
    case .wrong: "WRONG"
    case .unknown: "cannot be compared"
    case .notTried: "NOT TRIED"
    }
  }
}

/// The finding on one fact of the paper.
struct KitFinding {
  enum Verdict: String {
    case right
    case wrong
    /// Nothing here to compare it with.
    case unknown
    case notTried = "not-tried"
  }

  let what: String
  let verdict: Verdict
  /// The explanation, unless it is simply right.
  var detail: String?

  /// Its place on the paper.
  var line: String {
    switch what {
    case "newest archive": "the lines \"newest\" and \"its id\""
    case "secret": "the passphrase, or whatever opens it"
    default: "the line \"\(what)\""
    }
  }
}

/// The paper's answers against what there is.
struct KitComparison {
  private let subject: KitSubject

  init(_ subject: KitSubject) { self.subject = subject }

  func vault(_ answer: String) -> KitFinding {
    number(
      "vault", answer, subject.facts.vaultID.hex, "these archives belong to a different vault than the paper"
    )
  }

  func signer(_ answer: String) -> KitFinding {
    let isNone = ["none", "not signed"].contains(answer.lowercased())
    guard let signer = subject.facts.signer else {
      return isNone
        ? KitFinding(what: "signer", verdict: .right)
        : KitFinding(
          what: "signer", verdict: .wrong,
          detail: "the newest archive is not signed, but the paper names a signer")
    }
    guard !isNone else {
      return KitFinding(
        what: "signer", verdict: .wrong,
        detail: "the archives are signed now, but the paper names no signer")
    }
    return number("signer", answer, signer.hex, "a different key signs than the paper says")
  }

  private func number(_ what: String, _ answer: String, _ expected: String, _ meaning: String) -> KitFinding {
    let typed = CheckDigits.plain(answer)
    guard typed.count < CheckDigits.count || !expected.hasSuffix(typed) else {
      return KitFinding(what: what, verdict: .right)
    }
    let digits = CheckDigits.grouped(expected.suffix(CheckDigits.count))
    return KitFinding(
      what: what, verdict: .wrong, detail: "\(meaning), or it was mistyped: here it ends with \(digits)")
  }

  /// Whether the paper's newest archive can be among these.
  func archive(number: String) -> KitFinding {
    let what = "newest archive"
    guard let sequence = UInt64(CheckDigits.plain(number)) else {
      return KitFinding(what: what, verdict: .wrong, detail: "\(number) is not an archive's number")
    }
    let newest = subject.facts.sequence
    guard sequence <= newest else {
      return KitFinding(
        what: what, verdict: .wrong,
        detail:
          "the paper names archive \(sequence), but the newest here is \(newest): newer archives are missing")
    }
    return KitFinding(what: what, verdict: .right)
  }

  /// The archive that was the newest when the page was printed, by its number and its id's last digits.
  func archive(number: String, digits: String) -> KitFinding {
    let what = "newest archive"
    let counted = archive(number: number)
    guard counted.verdict == .right, let sequence = UInt64(CheckDigits.plain(number)) else { return counted }
    let newest = subject.facts.sequence
    let rivals = subject.entries.compactMap(\.archive).filter { $0.facts.sequence == sequence }
    guard !rivals.isEmpty else {
      return KitFinding(
        what: what, verdict: .unknown,
        detail: "archive \(sequence) is not here any more. The newest is \(newest)")
    }
    let typed = CheckDigits.plain(digits)
    guard typed.count >= CheckDigits.count, rivals.contains(where: { $0.statedDigest.hex.hasSuffix(typed) })
    else {
      return KitFinding(
        what: what, verdict: .wrong,
        detail: "archive \(sequence) here is not the one on the paper, or its id was mistyped")
    }
    let behind = newest - sequence
    return KitFinding(
      what: what, verdict: .right, detail: behind == 0 ? nil : "\(behind) newer since the page was printed")
  }
}
