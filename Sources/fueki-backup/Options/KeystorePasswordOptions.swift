internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors

/// The passwords that other wallets' key files in an archive open with.
struct KeystorePasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The password of keystores in the archive: \(SecretPlace.forms). May be repeated.",
      valueName: "place", visibility: .more))
  var keystorePasswordFrom: [SecretPlace] = []

  /// Returns the material for proofs.
  func material() throws -> ProofMaterial {
    ProofMaterial(
      encodings: ShareEncoding.all, keyFiles: KeyFileOpening.all,
      passwords: try keystorePasswordFrom.flatMap { place in
        try ReadSecrets.once(.place(place, .source)) { try SecretSource.password(from: place) }.all
      })
  }

  /// The files with passwords.
  var paths: [String] { keystorePasswordFrom.compactMap(\.path) }

  /// Runs the commands that print passwords, each once in a run.
  func readCommands() throws {
    for place in keystorePasswordFrom where place.isCommand {
      _ = try ReadSecrets.once(.place(place, .source)) { try SecretSource.password(from: place) }
    }
  }
}
