internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCodes
internal import FuekiCrypto
internal import FuekiSystem

/// `kit`: prints the facts that a user needs after the loss of the machine.
struct KitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kit", abstract: "Print what brings the wallet back when the machine is gone, and test it.",
    subcommands: [KitPrint.self, KitTest.self, KitBundleCommand.self])
}

/// `kit print`: one page for the safe.
struct KitPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Make one page that says where the archives are and how to restore them.",
    discussion: "It holds no secret without --include-passphrase. See fueki-backup-kit(1).")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("text or html.", valueName: "format"))
  var format = KitFormat.text
  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp("Write the page to this file, replacing an older one.", valueName: "file"),
    completion: .file())
  var file: String?
  @Option(
    help: ArgumentHelp(
      "Where to get the program's source, for the page.", valueName: "text", visibility: .more))
  var source: String?
  @Flag(help: "Put the passphrase on the page, after it has opened the archive.")
  var includePassphrase = false
  @OptionGroup var secrets: PassphraseOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !includePassphrase || file != nil else {
      throw ValidationError("--include-passphrase needs --output: a file that only you can read")
    }
  }

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    try signing.readCommand(console)
    if includePassphrase, secrets.passphraseFrom?.isCommand == true { _ = try secrets.source.given(console) }
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let progress = try output.progressLine
    let subject = try KitSubject(
      archive, in: targets.targets(configuration), trust, configuration, console, signs: true
    ) {
      try progress.show("verifying")
    }
    progress.clear()
    if let base = subject.base, !base.isAtHand { console.warning(BaseLines.warning(base.reference)) }
    let checkpoint = try checkpoint(of: subject, configuration, console)
    var facts = KitFacts(
      subject, configuration, checkpoint: checkpoint,
      program: try program(beside: subject.targets, configuration, console), source: source)
    var passphrase: SharedSecret?
    if includePassphrase {
      let given = try secrets.source.read(console)
      let keyFiles = try secrets.keyFiles()
      let right = try given.reading {
        try subject.archive.source.opens(with: UnlockingSecrets(passphrases: [$0], keyFiles: keyFiles))
      }
      let secret = (right ?? given).secret
      facts.openedSlot = try slot(that: secret, opens: subject, configuration)
      passphrase = secret
    }
    let page = KitPage.fitting(facts)
    if format == .text, !KitText.isOnePage(page) {
      console.warning("the kit takes two pages of text: keep both together. As HTML it prints on one sheet")
    }
    let codes = try page.codes.map { try QRCode($0.text) }
    let parts = parts(page, codes)
    if let file {
      let bytes = try KitBytes.of(parts, secret: passphrase, isHTML: format == .html)
      try bytes.withBytes { try OutputFile.write($0, to: file, existing: .replaced) }
    }
    if includePassphrase {
      console.warning(
        "\(file ?? "the page") holds the passphrase: anyone who reads it can open every archive. Print it on a printer of "
          + "your own that keeps no copy, and delete the file")
    }
    guard !output.json else { return Document.write(facts.document(format, output: file)) }
    if let file { console.report(file) } else { console.page(parts.joined()) }
  }

  /// Returns the newest program on a disk that is verifiably the one put there, because the page refers people to it.
  private func program(
    beside targets: [Target], _ configuration: Configuration, _ console: Console
  ) throws -> ProgramBeside? {
    let found = targets.filter { $0.kind == .local && !$0.isAppendOnly }.flatMap(ProgramBeside.all)
    guard !found.isEmpty else { return nil }
    let known = try ProgramTrust(try Places.state(), try trust.trust(configuration))
    for program in found where !known.accepts(program) {
      console.warning(
        "\(program.folder) is not on the page: nothing shows that its program is yours. \"fueki-backup doctor\" explains it"
      )
    }
    return found.first(where: known.accepts)
  }

  private func parts(_ page: KitPage, _ codes: [QRCode]) -> [String] {
    switch format {
    case .html: KitHTML(page, codes: codes).parts
    case .text:
      KitText(page, codes: codes, ink: file == nil && StandardStream.output.isTerminal ? .light : .dark).parts
    }
  }

  /// Returns the newest archive's checkpoint, if a key is available.
  ///
  /// A kit without it is still useful.
  private func checkpoint(
    of subject: KitSubject, _ configuration: Configuration, _ console: Console
  ) throws -> SignedCheckpoint? {
    do {
      let vault = configuration.meant ?? VaultSettings()
      guard let key = try signing.key(vault, of: subject.facts.vaultID, console) else { return nil }
      guard subject.facts.signer == nil || subject.facts.signer == key.publicKey else {
        throw ArchiveError.untrusted(.another)
      }
      return try SignedCheckpoint(subject.facts, digest: subject.archive.digest, signedWith: key)
    } catch CommandError.noSecret(.signing) {
      console.note(
        "the signing key is sealed and was not opened: what the page says about the newest archive is not signed"
      )
      return nil
    }
  }

  /// The first slot that a passphrase opens: a page with a wrong one would be worse than none.
  private func slot(
    that passphrase: SharedSecret, opens subject: KitSubject, _ configuration: Configuration
  ) throws -> Int? {
    let unlocking = UnlockingSecrets(passphrases: [passphrase], keyFiles: try secrets.keyFiles())
    let stored = subject.archive.source
    return try configuration.slotNames(of: stored).explaining(stored) {
      try subject.archive.unlockAlone(with: unlocking).openedSlots.min()
    }
  }
}

/// A page's form.
enum KitFormat: String, CaseIterable, ExpressibleByArgument {
  case text
  case html
}

extension KitFacts {
  /// The output of `kit print --json`: the page's contents.
  fileprivate func document(_ format: KitFormat, output: String?) -> Members {
    [
      "schema": "fueki.kit/1",
      "format": format.rawValue,
      "output": output,
      "vault": vault,
      "signer": signer?.hex,
      "fingerprint": signer?.fingerprint,
      "archive": [
        "id": digest, "sequence": sequence, "created": Times.text(created),
        "base": base.map { $0.reference.document(isAtHand: $0.isAtHand) },
      ] as Members,
      "missing": missing,
      "wallets": findings.map(\.remembered),
      "files": placedFiles,
      "checkpoint": checkpoint?.line,
      "program": program.map {
        ["folder": $0.folder, "digest": $0.digest, "pageDigest": $0.page] as Members
      },
      "targets": places.map { ["path": $0.path, "kind": $0.kind] as Members },
      "slots": slots.map {
        ["number": $0.number, "name": $0.name, "type": $0.type.name, "opens": $0.scopes] as Members
      },
      "longTerm": longTerm.document,
      "includesPassphrase": openedSlot != nil,
    ]
  }
}
