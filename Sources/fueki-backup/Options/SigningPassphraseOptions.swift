internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup

/// Where the signing key's passphrase comes from.
struct SigningPassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The signing key's passphrase: \(SecretPlace.forms).", valueName: "place", visibility: .more))
  var signingPassphraseFrom: SecretPlace?

  func source(_ secret: CommandError.Secret) -> SecretSource {
    SecretSource(place: signingPassphraseFrom, name: .signing, secret: secret)
  }
}
