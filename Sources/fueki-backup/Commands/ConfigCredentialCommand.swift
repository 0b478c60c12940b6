internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// `config credential`: the servers' keys that the wallet's keychain holds.
struct ConfigCredential: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "credential", abstract: "Keep the keys for servers in the wallet's keychain.",
    subcommands: [CredentialAdd.self, CredentialRemove.self, CredentialList.self])
}

/// Where the keychain is, and what opens it.
struct CredentialPlace: ParsableArguments {
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var keychain: KeychainSecretOptions

  /// The keychain, opened.
  func open(_ console: Console) throws -> Keychain {
    let configuration = try settings.load()
    let directory = try data.path(configuration)
    guard (try? Directory.open(directory)) != nil, try Keychain.currentStamp(in: directory) != nil else {
      throw Failure(
        .notFound, "there is no keychain in \(directory)", meaning: "nothing was done",
        hint: "restore or import a wallet first, or name a file with credential_file in config.toml")
    }
    return try Keychain.read(
      directory, with: try keychain.opening(console, try configuration.vault(), of: directory))
  }
}

/// `config credential add`: takes a server's key into the keychain.
struct CredentialAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a server's key to the keychain.")

  @Argument(help: .credentialName) var name: String
  @OptionGroup var place: CredentialPlace
  @Option(
    help: ArgumentHelp("The server's key: \(SecretPlace.forms).", valueName: "place"))
  var credentialFrom: SecretPlace?
  @Flag(help: "Replace an existing key of this name.")
  var replace = false
  @OptionGroup var lock: LockOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw ValidationError("a name is text without line ends")
    }
  }

  func run() throws {
    let console = output.console
    let lock = try lock.take("config", output)
    defer { withExtendedLifetime(lock) {} }
    let keychain = try place.open(console)
    guard try replace || keychain.endpointKey(named: name) == nil else {
      throw Failure(
        .wouldOverwrite, "the keychain has an endpoint's key \"\(name)\" already",
        meaning: "nothing was changed", hint: "use --replace, or another name")
    }
    let source = SecretSource(place: credentialFrom, name: .endpoint, secret: .endpoint)
    let editor = KeychainEditor(editing: keychain)
    try editor.add(endpointKey: try source.read(console).secret, named: name, createdAt: SystemClock.now)
    try editor.write(in: keychain.directory)
    guard !output.json else { return Document.write(credentials: [name]) }
    console.report("\"\(name)\" is in the keychain")
  }
}

/// `config credential remove`: takes a server's key out of the keychain.
struct CredentialRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a server's key from the keychain.")

  @Argument(help: .credentialName) var name: String
  @OptionGroup var place: CredentialPlace
  @OptionGroup var lock: LockOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let lock = try lock.take("config", output)
    defer { withExtendedLifetime(lock) {} }
    let keychain = try place.open(output.console)
    guard try keychain.endpointKey(named: name) != nil else {
      throw EndpointKeychain.missing([name], in: keychain.directory)
    }
    let editor = KeychainEditor(editing: keychain)
    editor.removeEndpointKey(named: name)
    try editor.write(in: keychain.directory)
    guard !output.json else { return Document.write(credentials: [name]) }
    output.console.report("\"\(name)\" is no longer in the keychain")
  }
}

/// `config credential list`: the names of the servers' keys, and never the keys.
struct CredentialList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Name the servers' keys that the keychain holds.")

  @OptionGroup var place: CredentialPlace
  @OptionGroup var output: OutputOptions

  func run() throws {
    let names = try place.open(output.console).endpointKeyNames()
    guard !output.json else { return Document.write(credentials: names) }
    for name in names { output.console.line(name) }
  }
}

extension Document {
  /// Writes the document of `config credential`.
  fileprivate static func write(credentials names: [String]) {
    write(["schema": "fueki.config/1", "credentials": names])
  }
}
