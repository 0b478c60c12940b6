internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `key new-identity`: writes an identity file in the form of `age-keygen -pq`, and the recipient next to it.
struct KeyNewIdentity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-identity", abstract: "Make a hybrid age identity, which opens archives.",
    discussion: "Its recipient, in a file .pub next to it, is for create --recipients-file.")

  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp(
      "The file to make. The default is identity.txt next to the configuration.", valueName: "file"),
    completion: .file())
  var path: String?
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let files = try NewKeyFiles(at: path, orNextToConfiguration: "identity.txt")
    let seed = try SecretBytes.random(count: AgeKeyForm.identityByteCount)
    let recipient = AgeKey.text(recipient: try AgeKeyForm.hybrid.publicKey(of: seed), .hybrid)
    try Self.write(seed, recipient, to: files.path)
    try OutputFile.write("\(recipient)\n", to: files.publicPath, existing: .kept)
    guard !output.json else {
      return Document.write([
        "schema": "fueki.key-new-identity/1", "path": files.path, "publicPath": files.publicPath,
        "recipient": recipient,
      ])
    }
    console.line(recipient)
    console.note("the identity is in \(files.path): keep it off this machine, because it opens archives")
    console.note("create seals to it with --recipients-file \(files.publicPath)")
  }

  private static func write(_ seed: borrowing SecretBytes, _ recipient: String, to path: String) throws {
    let identity = try AgeKey.identityText(seed, .hybrid)
    var text = try SecretText(capacity: 4096)
    text.append("# created: \(Times.text(UInt64(max(0, SystemClock.now)) / 1_000_000))\n")
    text.append("# public key: \(recipient)\n")
    identity.bytes.withBytes { text.append($0) }
    text.append("\n")
    let file = try text.finish()
    try NewPrivateFile.write(file, to: path)
  }
}

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
      return Document.write([
        "schema": "fueki.key-new-signer/1", "path": files.path, "publicPath": files.publicPath,
        "line": signer.line, "publicKey": signer.publicKey.hex, "sealed": !noPassphrase,
      ])
    }
    console.verbatim(signer.line)
    console.note("the key is in \(files.path): keep a copy where the archives are not")
    console.note(
      "create signs with it where config.toml says: sign_key = \(ConfigDocument.Value.quoted(files.path))")
  }
}

/// The files that a command makes for a new key: the key's own, and the public one next to it.
struct NewKeyFiles {
  let path: String
  let publicPath: String

  /// - Throws: an error if one of the files exists.
  init(at path: String?, orNextToConfiguration name: String) throws {
    let path = try path ?? ConfigurationOptions.folder() + "/\(name)"
    (self.path, publicPath) = (path, SigningKeyPlace.publicFile(of: path))
    try OutputFile.checkFree(path)
    try OutputFile.checkFree(publicPath)
  }
}
