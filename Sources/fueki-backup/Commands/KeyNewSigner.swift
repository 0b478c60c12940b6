internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `key new-signer`: a key that signs archives, and its public line.
struct KeyNewSigner: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-signer", abstract: "Make a key that signs archives.",
    discussion: "Its public line, in a file .pub next to the key, is for verify --trusted-signer.")

  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp("The file to make, or signing.key next to the configuration.", valueName: "file"),
    completion: .file())
  var path: String?
  @Option(help: ArgumentHelp("The owner's name in the public line.", valueName: "text"))
  var comment: String?
  @Flag(help: "Do not seal the key: anyone who reads the file can sign.")
  var noPassphrase = false
  @OptionGroup var accepted: ConsentOptions<PassphraseConsents>
  @OptionGroup var passphrase: SigningPassphraseOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    // Before any question.
    let files = try NewKeyFiles(at: path, orNextToConfiguration: "signing.key")
    let rule = PassphraseRule(
      cost.cost(VaultSettings()), allowsWeak: accepted.consents.contains(.weakPassphrase),
      names: KnownNames.of(VaultSettings(), label: comment))
    let secret = noPassphrase ? nil : try passphrase.source(.newSigning).readNew(console, rule)
    let signer = try SigningKeyPlace.make(
      at: files.path, comment: comment ?? HostName.current, passphrase: secret,
      cost: cost.cost(VaultSettings()))
    guard !output.json else {
      return Document.write(
        NewSignerDocument(
          path: files.path, publicPath: files.publicPath, line: signer.line,
          publicKey: signer.publicKey.hex, sealed: !noPassphrase))
    }
    console.verbatim(signer.line)
    console.note("the key is in \(files.path): keep a copy where the archives are not")
    console.note(
      "create signs with it where config.toml says: sign_key = \(ConfigDocument.Value.quoted(files.path))")
  }
}

/// `key new-signer --json`.
struct NewSignerDocument: Encodable {
  let schema = "fueki.key-new-signer/1"
  let path: String
  let publicPath: String
  let line: String
  let publicKey: String
  let sealed: Bool
}
