internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// `put-back`: the files of other programs, out of an archive and into their places.
struct PutBackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "put-back",
    abstract: "Put other wallets' files back where their programs look for them.",
    discussion: "It replaces no file that differs, unless you ask for it; see fueki-backup-put-back(1).")

  @Argument(
    help: ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive"), completion: .file())
  var archive = "latest"
  @Option(
    help: ArgumentHelp(
      "home: their old places in your home directory; a folder: below it; none: only say what would be put back.",
      valueName: "where"), completion: .placings)
  var files = PlacingArgument.home
  @Option(
    help: ArgumentHelp(
      "What to do with files that exist and differ: fail, rename or replace.", valueName: "rule"),
    completion: .list(PlacingPolicy.allCases.map(\.rawValue)),
    transform: PlacingPolicy.init(option:))
  var onConflict = PlacingPolicy.fail
  @Option(
    help: ArgumentHelp(
      "Only the file that lay here, such as ~/wallets/savings; may be repeated.", valueName: "place"))
  var path: [String] = []
  @OptionGroup var placing: PlacingOptions
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
      archive: archive, files: files, policy: onConflict, placing: placing, dryRun: dryRun,
      settings: settings,
      targets: targets, trust: trust, secrets: secrets, sandbox: sandbox, output: output)
    put.places = path
    try put.run { try lock.take("put-back", output) }
  }
}
