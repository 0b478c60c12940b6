internal import ArgumentParser
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiStore

/// Where the archive's passphrase comes from.
struct ArchiveSecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A file with the archive's passphrase, which only you can read.", valueName: "file"))
  var passphraseFile: String?

  @Option(help: ArgumentHelp("A command that prints the archive's passphrase.", valueName: "command"))
  var passphraseCommand: String?

  @Option(help: ArgumentHelp("A file descriptor to read the archive's passphrase from.", valueName: "n"))
  var passphraseFd: Int32?

  var source: SecretSource {
    SecretSource(
      file: passphraseFile, command: passphraseCommand, descriptor: passphraseFd, name: "passphrase",
      secret: .archive)
  }

  /// The passphrase of an archive that exists.
  func unlocking(_ console: Console) throws -> UnlockingSecrets {
    UnlockingSecrets(passphrases: [try source.read(console)])
  }

  /// The passphrase, where one is given without being asked for.
  func unlockingWithoutAsking(_ console: Console) throws -> UnlockingSecrets? {
    try source.given(console).map { UnlockingSecrets(passphrases: [$0]) }
  }
}

/// Where what opens the wallet's keychain comes from.
struct KeychainSecretOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A file with the keychain's passphrase.", valueName: "file"))
  var keychainPassphraseFile: String?

  @Option(help: ArgumentHelp("A command that prints the keychain's passphrase.", valueName: "command"))
  var keychainPassphraseCommand: String?

  @Option(help: ArgumentHelp("A file descriptor to read the keychain's passphrase from.", valueName: "n"))
  var keychainPassphraseFd: Int32?

  @Option(
    help: ArgumentHelp("A key file that opens the keychain, for unattended machines.", valueName: "file"))
  var keychainKeyFile: String?

  /// The option's key file, else the configuration's; a passphrase that was given goes before that.
  private func keyFile(_ vault: VaultSettings) -> String? {
    let givesPassphrase =
      keychainPassphraseFile != nil || keychainPassphraseCommand != nil || keychainPassphraseFd != nil
    return keychainKeyFile ?? (givesPassphrase ? nil : vault.keychainKeyFile)
  }

  private func source(_ secret: CommandError.Secret) -> SecretSource {
    SecretSource(
      file: keychainPassphraseFile, command: keychainPassphraseCommand, descriptor: keychainPassphraseFd,
      name: "keychain-passphrase", secret: secret)
  }

  /// What opens a keychain that exists.
  func opening(_ console: Console, _ vault: VaultSettings) throws -> KeychainOpening {
    if let keychainKeyFile = keyFile(vault) {
      return KeychainOpening([.keyFile(try SecretSource.keyFile(keychainKeyFile))])
    }
    return KeychainOpening([.passphrase(try source(.keychain).read(console))])
  }

  /// What will open a new keychain: asked for twice, never the archive's passphrase silently.
  func newSlots(
    _ console: Console, cost: Argon2id.Cost, allowsWeak: Bool, _ vault: VaultSettings
  ) throws -> [NewKeychainSlot] {
    if let keychainKeyFile = keyFile(vault) { return [.keyFile(try SecretSource.keyFile(keychainKeyFile))] }
    let passphrase = try source(.newKeychain).readNew(console, allowsWeak: allowsWeak)
    return [.passphrase(passphrase, cost: cost)]
  }
}
