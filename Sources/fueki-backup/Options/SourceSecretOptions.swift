internal import ArgumentParser
internal import FuekiCollectors

/// Where the passphrase of another wallet's encrypted files comes from.
struct SourceSecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The other wallet's passphrase: \(SecretPlace.forms).", valueName: "place"))
  var sourcePassphraseFrom: SecretPlace?

  /// Returns the passphrase, requested at most once in a run, and only for a file that needs it.
  func passphrase(_ console: Console) -> SourcePassphrase {
    let source = source
    return SourcePassphrase { try source.read(console).secret }
  }

  /// Reads a given one, so that it is known after the run has given up its rights.
  func readGiven(_ console: Console) throws { _ = try source.given(console) }

  private var source: SecretSource {
    SecretSource(place: sourcePassphraseFrom, name: .source, secret: .source)
  }
}
