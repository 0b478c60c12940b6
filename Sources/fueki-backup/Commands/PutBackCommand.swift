internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// `put-back`: the files of other programs, out of an archive and into their places.
struct PutBackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "put-back",
    abstract: "Put other wallets' files back where their programs look for them.",
    discussion: "It replaces no file that differs, unless you ask for it. See fueki-backup-put-back(1).")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @Option(
    help: ArgumentHelp(
      "home (their old places in your home directory), a folder (below it), or none (only list them).",
      valueName: "where"), completion: .placings)
  var files = PlacingArgument.home
  @Option(
    help: ArgumentHelp(
      "How to treat files that exist and differ: fail, rename or replace.", valueName: "rule"),
    completion: .list(PlacingPolicy.allCases.map(\.rawValue)),
    transform: PlacingPolicy.init(option:))
  var onConflict = PlacingPolicy.fail
  @Option(
    help: ArgumentHelp(
      "Only the file with this place, such as ~/wallets/savings. May be repeated.", valueName: "place"))
  var path: [String] = []
  @OptionGroup var accepted: ConsentOptions<PlacingConsents>
  @Flag(name: .withLetter(.dryRun), help: "Say which files would go where, and write nothing.")
  var dryRun = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var put = PutBack(
      archive: archive, files: files, policy: onConflict, placing: PlacingOptions(accepted.consents),
      dryRun: dryRun,
      settings: settings,
      targets: targets, trust: trust, secrets: secrets, sandbox: sandbox, output: output)
    put.places = path
    try put.run { try lock.take("put-back", output) }
  }
}
