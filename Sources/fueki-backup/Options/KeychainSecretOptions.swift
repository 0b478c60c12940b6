internal import ArgumentParser
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

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

  /// The same if a command prints it.
  func readCommand(_ console: Console) throws {
    if keychainPassphraseFrom?.isCommand == true { try readGiven(console) }
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
