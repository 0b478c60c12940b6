internal import ArgumentParser
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem

/// A secret's file that a scheduled run is handed.
struct ScheduledSecret {
  /// Its name in systemd's credentials folder.
  let credential: String
  /// The option that passes its file to the program.
  let option: String
  let path: String
  /// Whether the program looks for it in the credentials' folder by itself.
  var isFoundByName = false

  /// The option with a file, as a command line has them.
  func words(for file: String) -> [String] { [option, option.hasSuffix("-from") ? "file:\(file)" : file] }
}

/// Which files' secrets a scheduled run is handed.
struct ScheduledSecretOptions: ParsableArguments {
  @OptionGroup var passphrase: PassphraseOptions
  @Option(
    name: .withLetter(.identity),
    help: ArgumentHelp("An age identity that opens the archive for a drill, handed over.", valueName: "file"),
    completion: .file())
  var identity: String?
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var signing: SigningPassphraseOptions

  private var passphraseFile: String? { passphrase.passphraseFrom?.path }
  private var keychainPassphraseFile: String? { keychain.keychainPassphraseFrom?.path }
  private var signingPassphraseFile: String? { signing.signingPassphraseFrom?.path }

  func validate() throws {
    let places = [passphrase.passphraseFrom, keychain.keychainPassphraseFrom, signing.signingPassphraseFrom]
    guard places.allSatisfy({ $0 == nil || $0?.path != nil }) else {
      throw ValidationError("a scheduled run reads its secrets from files: use file:PATH")
    }
  }

  /// The files, from the root.
  func files(_ vault: VaultSettings) throws -> [ScheduledSecret] {
    // The option of a key file would count for more than the passphrase that was given.
    let configured = keychainPassphraseFile == nil ? vault.keychainKeyFile : nil
    let all: [(credential: String, option: String, path: String?, isFound: Bool)] = [
      (ServiceCredential.passphrase, "--passphrase-from", passphraseFile ?? vault.passphraseFile, true),
      ("fueki-key-file", "--key-file", passphrase.keyFile, false),
      (ServiceCredential.identity, "--identity", identity, false),
      ("fueki-keychain-passphrase", "--keychain-passphrase-from", keychainPassphraseFile, true),
      ("fueki-keychain-key", "--keychain-key-file", keychain.keychainKeyFile ?? configured, false),
      ("fueki-signing-passphrase", "--signing-passphrase-from", signingPassphraseFile, true),
    ]
    return try all.compactMap { secret in
      try secret.path.map { path in
        ScheduledSecret(
          credential: secret.credential, option: secret.option, path: try AbsolutePath.of(path),
          isFoundByName: secret.isFound)
      }
    }
  }

  /// Returns the secrets that the run would have to ask an absent user for, as far as known without opening anything.
  func missing(_ job: ScheduledRun.Job, _ vault: VaultSettings, datadir: String) -> [String] {
    var missing: [String] = []
    switch job {
    case .create:
      if !vault.isSealedToKeys && (passphraseFile ?? vault.passphraseFile) == nil {
        missing.append("the archive's passphrase: use --passphrase-from file:PATH, or have recipients")
      }
      let isInKeychain = (try? Keychain.currentStamp(in: datadir)).flatMap { $0 } != nil
      let opensIt = keychainPassphraseFile ?? keychain.keychainKeyFile ?? vault.keychainKeyFile
      if isInKeychain && opensIt == nil {
        missing.append("the keychain's: use --keychain-passphrase-from file:PATH or --keychain-key-file")
      }
    case .drill:
      if (passphraseFile ?? vault.passphraseFile) == nil && identity == nil {
        missing.append("what opens the archive: use --passphrase-from file:PATH or --identity")
      }
    }
    let isSealed = vault.signKey.flatMap { try? SigningKeyPlace.read($0) }?.isSealed ?? false
    if isSealed && signingPassphraseFile == nil {
      missing.append("the signing key's passphrase: use --signing-passphrase-from file:PATH")
    }
    return missing
  }
}
