internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
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
    let path = try ArchiveFinder(targets: targets.targets(try settings.load())).path(of: archive)
    let stored = try StoredArchive(reading: ArchiveFile(try File.open(path)))
    var document = ShowDocument(stored, path: path)
    if let unlocking = try secrets.unlockingWithoutAsking(console) {
      let open = try Self.opened(stored, with: unlocking)
      document.add(open, try open.decodedManifest())
    }
    guard !output.json else { return Document.write(document) }
    document.print(console)
  }

  private static func opened(_ stored: StoredArchive, with secrets: UnlockingSecrets) throws -> OpenArchive {
    let report = try stored.verify()
    guard let intact = report.intact else { throw ArchiveError.damaged(report.damage.first ?? .structure) }
    return try intact.unlock(with: secrets)
  }
}
