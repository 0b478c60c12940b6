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
}

/// Which files' secrets a scheduled run is handed.
struct ScheduledSecretOptions: ParsableArguments {
  @Option(
    name: .withLetter(.passphraseFile),
    help: ArgumentHelp(
      "A file with the archive's passphrase, handed over as a credential.", valueName: "file"),
    completion: .file())
  var passphraseFile: String?
  @Option(
    help: ArgumentHelp("A key file that goes with the passphrase, handed over too.", valueName: "file"),
    completion: .file())
  var keyFile: String?
  @Option(
    name: .withLetter(.identity),
    help: ArgumentHelp("An age identity that opens the archive for a drill, handed over.", valueName: "file"),
    completion: .file())
  var identity: String?
  @Option(
    help: ArgumentHelp("A file with the keychain's passphrase, handed over too.", valueName: "file"),
    completion: .file())
  var keychainPassphraseFile: String?
  @Option(
    help: ArgumentHelp("A key file that opens the keychain, handed over too.", valueName: "file"),
    completion: .file())
  var keychainKeyFile: String?
  @Option(
    help: ArgumentHelp("A file with the signing key's passphrase, handed over too.", valueName: "file"),
    completion: .file())
  var signingPassphraseFile: String?

  /// The files, from the root.
  func files(_ vault: VaultSettings) throws -> [ScheduledSecret] {
    // The option of a key file would count for more than the passphrase that was given.
    let configured = keychainPassphraseFile == nil ? vault.keychainKeyFile : nil
    let all: [(credential: String, option: String, path: String?, isFound: Bool)] = [
      (ServiceCredential.passphrase, "--passphrase-file", passphraseFile ?? vault.passphraseFile, true),
      ("fueki-key-file", "--key-file", keyFile, false),
      (ServiceCredential.identity, "--identity", identity, false),
      ("fueki-keychain-passphrase", "--keychain-passphrase-file", keychainPassphraseFile, true),
      ("fueki-keychain-key", "--keychain-key-file", keychainKeyFile ?? configured, false),
      ("fueki-signing-passphrase", "--signing-passphrase-file", signingPassphraseFile, true),
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
        missing.append("the archive's passphrase: give --passphrase-file, or have recipients")
      }
      let isInKeychain = (try? Keychain.currentStamp(in: datadir)).flatMap { $0 } != nil
      let opensIt = keychainPassphraseFile ?? keychainKeyFile ?? vault.keychainKeyFile
      if isInKeychain && opensIt == nil {
        missing.append("the keychain's: give --keychain-passphrase-file or --keychain-key-file")
      }
    case .drill:
      if (passphraseFile ?? vault.passphraseFile) == nil && identity == nil {
        missing.append("what opens the archive: give --passphrase-file or --identity")
      }
    }
    let isSealed = vault.signKey.flatMap { try? SigningKeyPlace.read($0) }?.isSealed ?? false
    if isSealed && signingPassphraseFile == nil {
      missing.append("the signing key's passphrase: give --signing-passphrase-file")
    }
    return missing
  }
}
