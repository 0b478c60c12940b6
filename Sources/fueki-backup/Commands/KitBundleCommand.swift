internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `kit bundle`: what opens the archives, beside them.
struct KitBundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Put the program that restores beside the archives on a disk.",
    discussion: "Only on a target of kind local: whoever can write there could replace the program.")

  @Argument(
    help: ArgumentHelp("The folder with the archives, on a disk to unplug.", valueName: "dir"),
    completion: .directory)
  var folder: String
  @Option(
    help: ArgumentHelp("The program to put there; else the one that is installed.", valueName: "file"),
    completion: .file())
  var program: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    var given = TargetOptions()
    given.target = [folder]
    guard let target = given.targets(configuration).first else { return }
    // Before the program is looked at: where it goes decides.
    try KitBundle.check(target)
    let sources = try BundleSources(program: program)
    let bundle = KitBundle(sources: sources, target: target)
    let key = try key(configuration, console)
    let state = try Places.state().lock(purpose: "kit bundle", processID: CurrentProcess.identifier)
    let step = try bundle.place(signedWith: key, state)
    let document = KitBundleDocument(bundle, step)
    guard !output.json else { return Document.write(document) }
    console.report(
      step == .write ? document.folder : "\(document.folder): there already, and the same")
    console.report("\(ProgramBeside.name) \(sources.version): SHA-256 \(document.digest)")
    console.note(
      "print a new page with \"kit print\": it has this number, to compare with the program's; then unplug the disk"
    )
  }

  /// A bundle without a signature is still one: the paper has the digest.
  private func key(_ configuration: Configuration, _ console: Console) throws -> SigningKey? {
    do {
      return try signing.key(
        configuration.meant ?? VaultSettings(), of: configuration.meantVaultID, console)
    } catch CommandError.noSecret(.signing) {
      console.note("the signing key is sealed and was not opened: the program's digest is not signed")
      return nil
    }
  }
}

/// `kit bundle --json`.
struct KitBundleDocument: Encodable {
  let schema = "fueki.kit-bundle/1"
  let folder: String
  let version: String
  let digest: String
  let step: String
  let signed: Bool
  let files: [String]

  init(_ bundle: KitBundle, _ step: KitBundle.Step) {
    let beside = ProgramBeside.all(in: bundle.target).first { $0.version == bundle.sources.version }
    folder = beside?.folder ?? bundle.target.path
    version = bundle.sources.version
    digest = bundle.sources.digest.hex
    self.step = step.rawValue
    signed = beside?.isSigned ?? false
    files = bundle.sources.files.map(\.path) + [ProgramBeside.list]
  }
}
