internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `kit bundle`: puts the program that opens the archives next to them.
struct KitBundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Copy the restore program next to the archives on a disk.",
    discussion: "Only on a target of kind local: anyone who can write there could replace the program.")

  @Argument(
    help: ArgumentHelp("The folder with the archives, on a disk to unplug.", valueName: "dir"),
    completion: .directory)
  var folder: String
  @Option(
    help: ArgumentHelp("The program to copy. The default is the installed one.", valueName: "file"),
    completion: .file())
  var program: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    guard let target = TargetOptions.only(folder).targets(loaded).first else { return }
    // Check the destination before the program.
    try KitBundle.check(target)
    // The program is asked for its version, which needs rights.
    let sources = try BundleSources(program: program)
    try signing.readCommand(console)
    let configuration = try sandbox.enter(needs(target, loaded), loaded, console)
    let bundle = KitBundle(sources: sources, target: target)
    let key = try key(configuration, console)
    let state = try Places.state().lock(purpose: "kit bundle", processID: CurrentProcess.identifier)
    let (program, step) = try bundle.place(signedWith: key, state)
    let trust = try ProgramTrust(try Places.state(), try TrustOptions.trust(configuration))
    let others = trust.unaccepted(in: target).filter { $0.folder != program.program.folder }
    for other in others {
      console.warning(
        "\(other.folder) has a program that neither this machine put there nor a signer of yours signed: "
          + "do not start it, and remove the folder if it is not yours")
    }
    for stray in StrayPages.all(in: target) {
      console.warning(
        "\(GivenWord.shown(stray)) was not put there by \"kit bundle\", and opens like a page or a program: "
          + "do not open it, and remove it if it is not yours")
    }
    let document = KitBundleDocument(program, sources, step, others: others)
    guard !output.json else { return Document.write(document) }
    console.report(
      step == .write ? document.folder : "\(document.folder): there already, and the same")
    console.report("\(ProgramBeside.name) \(sources.version): SHA-256 \(document.digest)")
    if let page = document.pageDigest { console.report("\(ProgramBeside.page): SHA-256 \(page)") }
    console.note(
      "print a new page with \"kit print\": it has this number, to compare with the program's. Then unplug the disk"
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
  let pageDigest: String?
  let step: String
  let signed: Bool
  let files: [String]
  let unknownPrograms: [String]

  init(
    _ bundled: BundledProgram, _ sources: BundleSources, _ step: KitBundle.Step, others: [ProgramBeside]
  ) {
    folder = bundled.program.folder
    version = bundled.program.version
    digest = bundled.digest.hex
    pageDigest = bundled.program.pageDigest?.hex
    self.step = step.rawValue
    signed = bundled.program.isSigned
    files = sources.files.map(\.path) + [ProgramBeside.list]
    unknownPrograms = others.map(\.folder)
  }
}
