internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// `show`: prints an archive's public facts, and with a secret its contents.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what an archive says about itself, and, with a secret, what it holds.")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    try secrets.readGiven(console)
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    let stored = found.stored
    try found.checkDemanded()
    try found.checkNewest()
    let names = configuration.slotNames(of: stored)
    var document = ShowDocument(
      stored, path: found.path, names: names, whose: found.ownership, bases: found.bases)
    if let unlocking = try secrets.unlockingWithoutAsking(console) {
      let open: OpenArchive
      do {
        open = try stored.opened(with: unlocking, names: names, bases: found.bases)
      } catch let error as ArchiveError where error.isOfBase {
        // All but the history is in the archive whole.
        console.warning(Failure(error).message)
        open = try stored.opened(with: unlocking, names: names, bases: nil)
      }
      document.add(open, try open.decodedManifest())
      document.hazards = try open.hazardousWallets(in: .everything).map(HazardDocument.init)
    }
    guard !output.json else { return Document.write(document) }
    document.print(console)
  }
}
