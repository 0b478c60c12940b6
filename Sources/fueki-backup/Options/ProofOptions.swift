internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors

/// The options for proofs of the keys, and for restoring despite a mismatch.
struct ProofOptions: ParsableArguments {
  @OptionGroup var passwords: KeystorePasswordOptions

  @Flag(help: "Restore even if keys do not match their addresses.")
  var acceptDifferences = false

  /// Returns the material for proofs.
  func material() throws -> ProofMaterial { try passwords.material() }
}

/// The passwords that other wallets' key files in an archive open with.
struct KeystorePasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the password of keystores in the archive. May be repeated.", valueName: "file"),
    completion: .file())
  var keystorePasswordFile: [String] = []

  /// Returns the material for proofs.
  func material() throws -> ProofMaterial {
    ProofMaterial(
      encodings: ShareEncoding.all, keyFiles: KeyFileOpening.all,
      passwords: try keystorePasswordFile.flatMap { try SecretSource.password(inFile: $0).all })
  }
}
