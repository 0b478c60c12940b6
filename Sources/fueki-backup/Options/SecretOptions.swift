internal import ArgumentParser
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

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

/// Where what opens the wallet's keychain comes from.
struct KeychainSecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The keychain's passphrase: \(SecretPlace.forms).", valueName: "place", visibility: .more))
  var keychainPassphraseFrom: SecretPlace?

  @Option(
    help: ArgumentHelp(
      "A key file that opens the keychain, for a machine that runs unattended.", valueName: "file",
      visibility: .more),
    completion: .file())
  var keychainKeyFile: String?

  private func source(_ secret: CommandError.Secret) -> SecretSource {
    SecretSource(place: keychainPassphraseFrom, name: .keychain, secret: secret)
  }

  /// The key files that may be read.
  func files(_ vault: VaultSettings) -> [String] {
    [keychainKeyFile, vault.keychainKeyFile].compactMap(\.self)
  }

  /// Reads a given passphrase, so that it is known after the run has given up its rights.
  func readGiven(_ console: Console) throws {
    guard keychainKeyFile == nil else { return }
    _ = try source(.keychain).given(console)
  }

  /// The file with the passphrase; nil if it comes from elsewhere.
  var passphrasePath: String? { source(.keychain).path }

  /// Returns the secrets of an existing keychain.
  ///
  /// A mistyped passphrase is requested again if its directory is known.
  func opening(
    _ console: Console, _ vault: VaultSettings, of directory: String? = nil
  ) throws -> KeychainOpening {
    if let given = try openingWithoutAsking(console, vault) { return given }
    let typed = try source(.keychain).read(console) { typed in
      guard let directory else { return true }
      do {
        _ = try Keychain.read(directory, with: KeychainOpening([.passphrase(typed)]))
        return true
      } catch KeychainError.wrongSecret {
        return false
      } catch {
        // Any other error is reported when the keychain is used.
        return true
      }
    }
    return KeychainOpening(typed.all.map(KeychainSecret.passphrase))
  }

  /// Returns the secrets of an existing keychain that were given without asking.
  func openingWithoutAsking(_ console: Console, _ vault: VaultSettings) throws -> KeychainOpening? {
    if let keychainKeyFile { return KeychainOpening([.keyFile(try SecretSource.keyFile(keychainKeyFile))]) }
    if let given = try source(.keychain).given(console) {
      return KeychainOpening(given.all.map(KeychainSecret.passphrase))
    }
    return try vault.keychainKeyFile.map { KeychainOpening([.keyFile(try SecretSource.keyFile($0))]) }
  }

  /// Returns the slots of a new keychain.
  ///
  /// Uses the archive's passphrase if it was typed and the user agrees, else another passphrase, typed twice.
  func newSlots(
    _ console: Console, _ rule: PassphraseRule, _ vault: VaultSettings
  ) throws -> [NewKeychainSlot] {
    if let given = try newSlotsWithoutAsking(console, rule, vault) { return given }
    let source = source(.newKeychain)
    let passphrase = try typed(rule, console) ?? source.readNew(console, rule)
    Replay.note("--keychain-passphrase-from", "file:FILE")
    return [.passphrase(passphrase, cost: rule.cost)]
  }

  /// Returns the slots of a new keychain; nil if no secret was given.
  func newSlotsWithoutAsking(
    _ console: Console, _ rule: PassphraseRule, _ vault: VaultSettings
  ) throws -> [NewKeychainSlot]? {
    if let keychainKeyFile { return [.keyFile(try SecretSource.keyFile(keychainKeyFile))] }
    if let given = try source(.newKeychain).givenNew(console, rule) {
      return [.passphrase(given, cost: rule.cost)]
    }
    return try vault.keychainKeyFile.map { [.keyFile(try SecretSource.keyFile($0))] }
  }

  /// One secret is enough to keep: the archive's passphrase opens all that the keychain will hold already.
  private func typed(_ rule: PassphraseRule, _ console: Console) throws -> SharedSecret? {
    guard let typed = ReadSecrets.answered(.archive)?.secret, Terminal.isAvailable else { return nil }
    Asking.say([
      "This machine keeps the wallet's secrets sealed, in its keychain, which opens with a passphrase."
    ])
    guard try Asking.yes("use the archive's passphrase for it too", default: true) else { return nil }
    let used = PassphraseRule(rule.cost, allowsWeak: true, names: rule.names())
    _ = try used.admit(typed, console)
    return typed
  }
}
