internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors

/// What proves that the keys are the right ones, and what is restored although they are not.
struct ProofOptions: ParsableArguments {
  @OptionGroup var passwords: KeystorePasswordOptions

  @Flag(help: "Restore even if keys do not match their addresses.")
  var acceptDifferences = false

  /// What proofs are made with.
  func material() throws -> ProofMaterial { try passwords.material() }
}

/// The passwords that other wallets' key files in an archive open with.
struct KeystorePasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the password of keystores in the archive; may be repeated.", valueName: "file"),
    completion: .file())
  var keystorePasswordFile: [String] = []

  /// What proofs are made with.
  func material() throws -> ProofMaterial {
    ProofMaterial(
      encodings: ShareEncoding.all, keyFiles: KeyFileOpening.all,
      passwords: try keystorePasswordFile.flatMap { try SecretSource.password(inFile: $0).all })
  }
}
