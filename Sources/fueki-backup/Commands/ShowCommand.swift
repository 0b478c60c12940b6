internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// `show`: what an archive says of itself; with a secret also what it holds.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what an archive says of itself, and with a secret what it holds.")

  @Argument(help: ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive"))
  var archive: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    let path = try targets.finder(configuration).path(of: archive)
    let stored = try StoredArchive(at: path)
    let names = configuration.slotNames(of: stored)
    var document = ShowDocument(stored, path: path, names: names)
    if let unlocking = try secrets.unlockingWithoutAsking(console) {
      let open = try stored.opened(with: unlocking, names: names)
      document.add(open, try open.decodedManifest())
      document.hazards = try open.hazardousWallets(in: .everything).map(HazardDocument.init)
    }
    guard !output.json else { return Document.write(document) }
    document.print(console)
  }
}
