internal import ArgumentParser
internal import FuekiCollectors

/// Where the passphrase of another wallet's encrypted files comes from.
struct SourceSecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the other wallet's passphrase, which only you can read.", valueName: "file"),
    completion: .file())
  var sourcePassphraseFile: String?

  @Option(
    help: ArgumentHelp("A command that prints the other wallet's passphrase.", valueName: "command"))
  var sourcePassphraseCommand: String?

  @Option(
    help: ArgumentHelp(
      "A file descriptor to read the other wallet's passphrase from.", valueName: "n"))
  var sourcePassphraseFd: Int32?

  /// Returns the passphrase, requested at most once in a run, and only for a file that needs it.
  func passphrase(_ console: Console) -> SourcePassphrase {
    let source = source
    return SourcePassphrase { try source.read(console).secret }
  }

  /// Reads a given one, so that it is known after the run has given up its rights.
  func readGiven(_ console: Console) throws { _ = try source.given(console) }

  private var source: SecretSource {
    SecretSource(
      file: sourcePassphraseFile, command: sourcePassphraseCommand, descriptor: sourcePassphraseFd,
      name: .source, secret: .source)
  }
}
