internal import ArgumentParser
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiStore

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
