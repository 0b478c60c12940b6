internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// The secrets of an archive: a passphrase, a key file with it, an identity, or guardians' shares.
struct ArchiveSecretOptions: ParsableArguments {
  @OptionGroup var passphrase: PassphraseOptions

  @Option(
    name: .withLetter(.identity),
    help: ArgumentHelp("An age identity file, or an age plugin's. May be repeated.", valueName: "file"),
    completion: .file())
  var identity: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Files with guardians' words, one share each.", valueName: "file", visibility: .more),
    completion: .file())
  var guardianShares: [String] = []

  /// The files that are read each time the secrets are needed.
  var files: [String] { identity + guardianShares + [passphrase.keyFile].compactMap(\.self) }

  /// Reads the given secrets without asking, so that they are known after the run has given up its rights.
  func readGiven(_ console: Console) throws { _ = try given(console) }

  /// The same if a command prints the passphrase: none runs in the sandbox, where files can still be read.
  func readCommand(_ console: Console) throws {
    if passphrase.passphraseFrom?.isCommand == true { try readGiven(console) }
  }

  /// Returns the secrets of an existing archive: all that were given, or else a passphrase from the user.
  func unlocking(_ console: Console) throws -> UnlockingSecrets {
    var secrets = try given(console)
    guard Self.isEmpty(secrets) else { return secrets }
    secrets.passphrases = try passphrase.source.read(console).all
    return secrets
  }

  /// Returns the secrets that were given without asking; nil without any.
  func unlockingWithoutAsking(_ console: Console) throws -> UnlockingSecrets? {
    let secrets = try given(console)
    return Self.isEmpty(secrets) ? nil : secrets
  }

  private static func isEmpty(_ secrets: UnlockingSecrets) -> Bool {
    secrets.passphrases.isEmpty && secrets.identities.isEmpty && secrets.guardianShares.isEmpty
      && secrets.plugins.isEmpty
  }

  /// Whether an age plugin will run.
  ///
  /// A file that cannot be read is reported when it is needed.
  var runPlugins: Bool {
    identity.contains { path in (try? IdentityFile.read(path))?.plugins.isEmpty == false }
  }

  private func given(_ console: Console) throws -> UnlockingSecrets {
    var secrets = UnlockingSecrets(
      passphrases: try passphrase.source.given(console)?.all ?? [],
      keyFiles: try passphrase.keyFiles(), guardianShares: try guardianShares.map(GuardianShareFile.sheet))
    for path in identity { try IdentityFile.add(path, to: &secrets) }
    return secrets
  }
}

/// Where the archive's passphrase comes from, and the key file that goes with it.
struct PassphraseOptions: ParsableArguments {
  @Option(
    name: .withLetter(.passphrase),
    help: ArgumentHelp(
      "The archive's passphrase: \(SecretPlace.forms). With -p, PATH is enough.", valueName: "place"))
  var passphraseFrom: SecretPlace?

  @Option(
    help: ArgumentHelp(
      "A key file that opens the archive together with the passphrase.", valueName: "file", visibility: .more),
    completion: .file())
  var keyFile: String?

  var source: SecretSource {
    SecretSource(place: passphraseFrom, name: .passphrase, secret: .archive)
  }

  /// The same for sealing, which may take the file that the configuration names.
  func source(sealing vault: VaultSettings) -> SecretSource {
    var place = self.source
    place.configured = vault.passphraseFile
    return place
  }

  /// The file that the configuration names, unless an option names another place.
  func stored(sealing vault: VaultSettings) -> StoredPassphrase? {
    guard passphraseFrom == nil else { return nil }
    return vault.passphraseFile.map { StoredPassphrase(at: $0) }
  }

  func keyFiles() throws -> [SharedSecret] { try keyFile.map { [try SecretSource.keyFile($0)] } ?? [] }
}

/// Where a new passphrase comes from.
struct NewPassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The new passphrase: \(SecretPlace.forms).", valueName: "place"))
  var newPassphraseFrom: SecretPlace?
  @Option(
    help: ArgumentHelp(
      "A key file to use together with the new passphrase.", valueName: "file", visibility: .more),
    completion: .file())
  var newKeyFile: String?
  @OptionGroup var consents: ConsentOptions<KeyConsents>
  @OptionGroup var cost: CostOptions

  /// Runs the command that prints it, if there is one.
  func readCommand(_ console: Console) throws {
    if newPassphraseFrom?.isCommand == true { _ = try source.given(console) }
  }

  /// The files that are read for it.
  var files: [String] { [source.path, newKeyFile].compactMap(\.self) }

  private var source: SecretSource {
    SecretSource(place: newPassphraseFrom, name: .new, secret: .newArchive)
  }

  /// A passphrase that was given, or if it `isNeeded` asked for; nil if there is none.
  func read(
    _ console: Console, _ vault: VaultSettings, of archive: OpenArchive, isNeeded: Bool
  ) throws -> NewPassphrase? {
    let keyFile = try newKeyFile.map { try SecretSource.keyFile($0) }
    let rule = PassphraseRule(
      cost.cost(vault), allowsWeak: consents.consents.contains(.weakPassphrase),
      names: KnownNames.of(vault) + archive.knownNames())
    let secret =
      isNeeded || keyFile != nil ? try source.readNew(console, rule) : try source.givenNew(console, rule)
    return secret.map { NewPassphrase(secret: $0, keyFile: keyFile, cost: rule.cost) }
  }
}

/// A passphrase that will open an archive, and the key file that goes with it.
struct NewPassphrase {
  let secret: SharedSecret
  let keyFile: SharedSecret?
  let cost: Argon2id.Cost

  /// Its slot; the derivation begins at once.
  func slot(opening mask: ScopeMask = .all) -> NewSlot {
    .derivingEarly(secret, andKeyFile: keyFile, cost: cost, opening: mask)
  }
}

/// The passwords that other wallets' key files in an archive open with.
struct KeystorePasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The password of keystores in the archive: \(SecretPlace.forms). May be repeated.",
      valueName: "place", visibility: .more))
  var keystorePasswordFrom: [SecretPlace] = []

  /// Returns the material for proofs.
  func material() throws -> ProofMaterial {
    ProofMaterial(
      encodings: ShareEncoding.all, keyFiles: KeyFileOpening.all,
      passwords: try keystorePasswordFrom.flatMap { place in
        try ReadSecrets.once(.place(place, .source)) { try SecretSource.password(from: place) }.all
      })
  }

  /// The files with passwords.
  var paths: [String] { keystorePasswordFrom.compactMap(\.path) }

  /// Runs the commands that print passwords, each once in a run.
  func readCommands() throws {
    for place in keystorePasswordFrom where place.isCommand {
      _ = try ReadSecrets.once(.place(place, .source)) { try SecretSource.password(from: place) }
    }
  }
}

/// Where a secret comes from, as options name it: `file:PATH`, `command:COMMAND` or `fd:N`.
enum SecretPlace: Hashable {
  case file(ExactText)
  case command(ExactText)
  case descriptor(Int32)

  /// The three forms, as messages list them.
  static let forms = "file:PATH, command:COMMAND or fd:N"
  /// The beginnings of the three forms.
  static let schemes = ["file:", "command:", "fd:"]

  /// The file's path; nil for the other forms.
  var path: String? {
    if case .file(let path) = self { path.text } else { nil }
  }

  /// Whether a command prints the secret.
  var isCommand: Bool {
    if case .command = self { true } else { false }
  }

  /// The form of a word that follows `-p`: a path alone is a file's.
  static func form(of word: String) -> String {
    schemes.contains(where: word.hasPrefix) ? word : "file:\(word)"
  }

  /// The word without `file:` at its beginning.
  static func withoutScheme(_ word: String) -> String {
    word.hasPrefix("file:") ? String(word.dropFirst("file:".count)) : word
  }
}

extension SecretPlace: ExpressibleByArgument {
  init?(argument: String) {
    guard let scheme = Self.schemes.first(where: argument.hasPrefix) else { return nil }
    let rest = String(argument.dropFirst(scheme.count))
    guard !rest.isEmpty else { return nil }
    switch scheme {
    // The shell expands a tilde only at the beginning of a word.
    case "file:": self = .file(ExactText(HomePath.expanded(rest)))
    case "command:": self = .command(ExactText(rest))
    default:
      guard let number = Int32(rest), number >= 0 else { return nil }
      self = .descriptor(number)
    }
  }

  static var defaultCompletionKind: CompletionKind { .secretPlaces }
}
