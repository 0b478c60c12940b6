internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `key-shares`: what concerns key shares alone.
struct SharesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key-shares", abstract: "Check key shares.", subcommands: [SharesCheckCommand.self])
}

/// `key-shares check`: are these key shares sound, of one key, enough for the threshold, and whose address is it.
struct SharesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check that key shares are sound, of one key, and enough to sign.",
    discussion: "Exit status: 0 valid, 60 something differs. See fueki-backup-key-shares(1).")

  @Argument(
    help: ArgumentHelp("An archive, or files of key shares and folders of them.", valueName: "file"),
    completion: .file())
  var files: [String]
  @Flag(help: "Fail if there are fewer shares than it takes to sign.")
  var requireThreshold = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let checked: CheckedShares
    let mayBeArchive = files.count == 1 && (try? Directory.open(files[0])) == nil
    let loaded = mayBeArchive ? try settings.load() : nil
    if mayBeArchive { try secrets.readGiven(console) }
    let configuration = try sandbox.enter(needs(loaded), loaded ?? Configuration(), console)
    if mayBeArchive, let found = try archive(configuration, console) {
      checked = try check(found, configuration, console)
    } else {
      checked = try CheckedShares(KeyShareFiles(files))
    }
    if output.json {
      Document.write(SharesDocument(checked))
    } else {
      ShareLines.print(checked, console)
    }
    guard checked.isSound else { throw ExitStatus.differs }
    guard !requireThreshold || checked.report.isEnough else { throw ExitStatus.partial }
  }

  /// Returns the archive that the only argument identifies; nil if it is another file.
  private func archive(_ configuration: Configuration, _ console: Console) throws -> FoundArchive? {
    do {
      return try FoundArchive(files[0], in: targets.targets(configuration), trust, configuration, console)
    } catch ArchiveError.notAnArchive {
      return nil
    }
  }

  /// Returns the given secrets, or asks for them at a terminal.
  private func unlocking(_ stored: StoredArchive, _ console: Console) throws -> UnlockingSecrets {
    if let given = try secrets.unlockingWithoutAsking(console) { return given }
    guard Terminal.isAvailable else {
      throw Failure(
        .wrongSecret, "without a secret, the key shares cannot be checked",
        meaning: "the archive is undamaged, but even the public sides of its shares are sealed",
        hint: "use a secret that opens the profile. A secret that opens the secrets too compares each share's"
      )
    }
    return try secrets.unlocking(stored, readsFiles: false, console)
  }

  private func check(
    _ found: FoundArchive, _ configuration: Configuration, _ console: Console
  ) throws -> CheckedShares {
    try found.checkNewest()
    let names = configuration.slotNames(of: found.stored)
    let open = try found.stored.opened(
      with: try unlocking(found.stored, console), names: names, bases: nil, trusting: try found.trusted)
    guard open.scopes.contains(.profile) else {
      throw Failure(
        .wrongSecret, "this secret does not open the profile, where the shares' public sides are",
        meaning: "it opens \(open.scopes.map(\.name).joined(separator: ", "))")
    }
    return CheckedShares(
      report: try open.checkShares(ShareEncoding.all), archive: open.digest.hex,
      secretsAreOpen: open.scopes.contains(.secrets))
  }
}
