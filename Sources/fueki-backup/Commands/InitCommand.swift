internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// `init`: writes a configuration, from options or the user's answers.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Set this machine up: targets, who opens the archives, who signs them.",
    discussion: "On a terminal it asks for what no option says. It overwrites nothing.")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("local, or synced if a service copies the folder elsewhere.", valueName: "kind"))
  var targetKind: TargetKind?
  @Option(
    help: ArgumentHelp(
      "The archives' label, the first part of their names.", valueName: "label", visibility: .more))
  var label: String?
  @Flag(help: "Back up the wallets that \"discover\" finds. A terminal asks.")
  var addWallets = false
  @OptionGroup var recipients: SlotOptions
  @Option(
    help: ArgumentHelp("The signing key's file. Without it, a key is made.", valueName: "file"),
    completion: .file())
  var signKey: String?
  @Flag(
    help: ArgumentHelp(
      "Make no signing key here: the first \"create\" makes one next to the state.", visibility: .more))
  var noSignKey = false
  @Flag(
    help: ArgumentHelp(
      "Do not seal a new signing key: anyone who reads its file can sign.", visibility: .more))
  var noPassphrase = false
  @OptionGroup var accepted: ConsentOptions<PassphraseConsents>
  @OptionGroup var passphrase: SigningPassphraseOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard signKey == nil || !noSignKey else { throw ValidationError("--sign-key or --no-sign-key, not both") }
  }

  func run() throws {
    let console = output.console
    let path = try AbsolutePath.of(settings.path())
    // Before any question.
    try OutputFile.checkFree(path)
    var answers = try SetupAnswers(self, console)
    let check = try UnattendedCheck(answers, keychain: keychain, console)
    let given = try answers.needsNoPassphrase ? nil : givenPassphraseFile(console)
    answers.signing = try signing(besides: path, isAsked: !answers.keepsPassphrase, console)
    let passphrase =
      try answers.keepsPassphrase && given == nil ? newPassphrase(besides: path, console) : nil
    answers.passphraseFile = given ?? passphrase?.path
    if let passphrase, answers.vaultID == nil, !answers.sources.isEmpty {
      answers.chosenVault = try WhichVault.ask(opening: passphrase.secret, answers.targets)
    }
    let text = answers.text(vaultName: settings.vault, cost: cost)
    // The written configuration must be valid.
    _ = try Configuration(ConfigurationFile(path: path, text: text))
    try Directory.makePrivateDirectories(OutputFile.folder(of: path))
    if let passphrase {
      try passphrase.secret.bytes.withBytes { try OutputFile.write($0, to: passphrase.path, existing: .kept) }
    }
    try OutputFile.write(text, to: path, existing: .kept)
    let needs = check.needs(answers)
    guard !output.json else {
      return Document.write([
        "schema": "fueki.init/1",
        "config": path,
        "vault": answers.vaultID?.hex,
        "datadir": answers.datadir,
        "targets": answers.targets.map(\.path),
        "sources": answers.sources,
        "signer": answers.signing?.signer.line,
        "signKey": answers.signing?.path,
        "unattendedNeeds": needs,
      ])
    }
    SetupLines.print(path: path, answers, needs: needs, console)
    try printTimer(answers, configuration: path, console)
  }

  /// Returns the file that the environment names for the archive's passphrase, once it is known to be usable.
  private func givenPassphraseFile(_ console: Console) throws -> String? {
    let source = SecretSource(place: nil, name: .passphrase, secret: .archive)
    guard let path = Environment.get("\(SecretSource.Name.passphrase.variable)_FILE"), source.path == path
    else { return nil }
    _ = try source.givenNew(console, passphraseRule)
    return try AbsolutePath.of(path)
  }

  private var passphraseRule: PassphraseRule {
    PassphraseRule(
      cost.cost(VaultSettings()), allowsWeak: accepted.consents.contains(.weakPassphrase),
      names: KnownNames.of(VaultSettings(), label: label))
  }

  /// Asks twice for the passphrase, the only secret that matters after a fire, and keeps it for the timer.
  private func newPassphrase(
    besides configuration: String, _ console: Console
  ) throws -> (secret: SharedSecret, path: String) {
    let path = OutputFile.folder(of: configuration) + "/passphrase"
    try OutputFile.checkFree(path)
    let source = SecretSource(place: nil, name: .passphrase, secret: .archive)
    return (try source.readNew(console, passphraseRule), path)
  }

  /// How a backup is made every night, where all that it needs is there: the command that prints the units, and with
  /// `-v` the units.
  private func printTimer(_ answers: SetupAnswers, configuration: String, _ console: Console) throws {
    guard let passphrase = answers.passphraseFile, let user = Account.current else { return }
    var arguments = [
      "--systemd", "--user", user, "--config", configuration, "--passphrase-from", "file:\(passphrase)",
    ]
    arguments += settings.vault.map { ["--vault", $0] } ?? []
    console.report("")
    console.report("A backup every night: \"fueki-backup schedule install\" sets it up for your own user.")
    console.report("For the whole machine, this prints a service and a timer for systemd, and where they go.")
    if !output.quiet {
      let words = ["fueki-backup", "schedule", "print"] + arguments
      console.verbatim("  " + words.map(ShellWord.quoted).joined(separator: " "))
    }
    guard output.verbose else { return }
    console.report("")
    try SchedulePrint.parse(arguments).run()
  }

  /// Returns the signing key: the chosen one, the existing one, or a new one.
  ///
  /// If its passphrase is not requested here, the first backup makes a key next to the state.
  private func signing(
    besides configuration: String, isAsked: Bool, _ console: Console
  ) throws -> SetupAnswers.Signing? {
    guard !noSignKey else { return nil }
    let usual = OutputFile.folder(of: configuration) + "/signing.key"
    let isThere = (try? OutputFile.checkFree(usual)) == nil
    guard isAsked || signKey != nil || isThere || noPassphrase else { return nil }
    if let path = try signKey.map(AbsolutePath.of) ?? (isThere ? usual : nil) {
      let file = try SigningKeyPlace.read(path)
      if signKey == nil { try SigningKeyPlace.completePublicFile(of: path, file.signer) }
      return SetupAnswers.Signing(path: path, signer: file.signer, isSealed: file.isSealed, isNew: false)
    }
    let secret = noPassphrase ? nil : try passphrase.source(.newSigning).readNew(console, passphraseRule)
    let signer = try SigningKeyPlace.make(
      at: usual, comment: HostName.current, passphrase: secret, cost: cost.cost(VaultSettings()))
    return SetupAnswers.Signing(path: usual, signer: signer, isSealed: !noPassphrase, isNew: true)
  }
}

/// A target's kind as people type it.
enum TargetKind: String, CaseIterable, ExpressibleByArgument {
  case local
  case synced
}

/// Checks whether `create` could run unattended, by trying the given secrets before anything is written.
struct UnattendedCheck {
  private enum Keychain {
    case none
    case opensWithKeyFile
    case opensWithPassphrase
    case nothingGiven
  }

  private let keychain: Keychain

  /// - Throws: ``KeychainError`` if the given secrets do not open the existing keychain.
  init(_ answers: SetupAnswers, keychain options: KeychainSecretOptions, _ console: Console) throws {
    guard answers.vaultID != nil, try FuekiStore.Keychain.currentStamp(in: answers.datadir) != nil else {
      keychain = .none
      return
    }
    guard let opening = try options.openingWithoutAsking(console, VaultSettings()) else {
      keychain = .nothingGiven
      return
    }
    _ = try FuekiStore.Keychain.read(answers.datadir, with: opening)
    keychain = options.keychainKeyFile == nil ? .opensWithPassphrase : .opensWithKeyFile
  }

  /// Returns the missing requirements of a timer.
  func needs(_ answers: SetupAnswers) -> [String] {
    var needs: [String] = []
    if !answers.needsNoPassphrase, answers.passphraseFile == nil {
      needs.append(
        "the archive's passphrase, as $CREDENTIALS_DIRECTORY/fueki-passphrase. Sealed to a --recipient, none is needed"
      )
    }
    switch keychain {
    case .none, .opensWithKeyFile: break
    case .opensWithPassphrase, .nothingGiven:
      needs.append(
        "what opens the wallet's keychain: its passphrase as $CREDENTIALS_DIRECTORY/fueki-keychain-passphrase, "
          + "or a --keychain-key-file")
    }
    if answers.signing?.isSealed ?? false {
      needs.append("the signing key's passphrase, as $CREDENTIALS_DIRECTORY/fueki-signing-passphrase")
    }
    return needs
  }
}

/// The last lines of `init`.
enum SetupLines {
  static func print(path: String, _ answers: SetupAnswers, needs: [String], _ console: Console) {
    console.report("wrote \(path)")
    if let signing = answers.signing {
      console.report("\(signing.isNew ? "made" : "took") the signing key \(signing.path). Its public line:")
      console.verbatim(signing.signer.line)
      console.report("older archives, which it did not sign, need --trusted-signer any")
    }
    if let file = answers.passphraseFile {
      console.report(
        "the archive's passphrase is stored in \(file), for create and the timer. Only you can read that file"
      )
      console.report("write it on paper too: after a fire it is the only thing that opens the archives")
    }
    for source in answers.sources { console.report("backs up \(source.kind):\(source.path)") }
    console.report("")
    console.report("next:")
    if answers.vaultID == nil, answers.sources.isEmpty {
      console.report("  fueki-backup import FILE    there is no wallet in \(answers.datadir) yet")
    }
    console.report("  fueki-backup create         the first archive")
    if answers.needsNoPassphrase, answers.passphraseFile == nil {
      // The secrets that open the archives may be on another machine.
      console.report(
        "  fueki-backup verify latest  reads every byte. Where the identity or the guardians' words are,")
      console.report("  fueki-backup drill          shows that they bring everything back")
    } else {
      console.report("  fueki-backup drill          practises a restore in memory, and compares every record")
      console.report("  fueki-backup kit print      makes a page for the safe")
    }
    if let signing = answers.signing {
      let publicFile = SigningKeyPlace.publicFile(of: signing.path)
      console.report("  keep a copy of \(signing.path) away from the archives,")
      console.report("  and \(publicFile) with everyone who verifies them")
    }
    guard !needs.isEmpty else { return console.report("create can run from a timer, unattended") }
    console.report(
      "to run unattended from a timer, create also needs (systemd's LoadCredential= delivers it):")
    for need in needs { console.report("  \(need)") }
  }
}
