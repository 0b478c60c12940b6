internal import ArgumentParser
internal import FuekiArchive
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
