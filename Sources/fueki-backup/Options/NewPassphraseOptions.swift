internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

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
