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
      passwords: try keystorePasswordFrom.flatMap { try SecretSource.password(from: $0).all })
  }
}
