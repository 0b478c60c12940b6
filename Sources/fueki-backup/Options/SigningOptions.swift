internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// The options for the signing key.
struct SigningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The signing key's file, from \"key new-signer\".", valueName: "file", visibility: .more),
    completion: .file())
  var signKey: String?
  @OptionGroup var passphrase: SigningPassphraseOptions

  /// Returns the option's key, else the configuration's, else the one that this machine made for the vault; nil if
  /// none.
  ///
  /// - Throws: ``CommandError/signingKey(path:_:)`` if a chosen one does not open, so that no archive is silently
  ///   unsigned.
  func key(_ vault: VaultSettings, of vaultID: VaultID?, _ console: Console) throws -> SigningKey? {
    guard let path = try signKey ?? vault.signKey ?? vaultID.flatMap(SigningKeyPlace.made) else { return nil }
    let file = try SigningKeyPlace.read(path)
    do {
      guard file.isSealed else { return try file.key(passphrase: nil) }
      return try key(file, opening: try passphrase.source(.signing).read(console))
    } catch let error as SigningKeyError {
      throw CommandError.signingKey(path: path, error)
    }
  }

  /// Returns the signer of a vault's next archive.
  ///
  /// It is the key that ``key(_:of:_:)`` finds. For a new or restored vault without a key, one is made now.
  ///
  /// - Throws: the errors of ``key(_:of:_:)``.
  func archiveSigning(
    _ vault: VaultSettings, of vaultID: VaultID, _ console: Console
  ) throws -> ArchiveSigning {
    if let key = try key(vault, of: vaultID, console) { return .key(key) }
    return .newVaults {
      let key = try SigningKeyPlace.make(of: vaultID)
      console.note(
        "made a key that signs this vault's archives: \(try SigningKeyPlace.ofVault(vaultID)); "
          + "its fingerprint is \(key.publicKey.fingerprint)")
      return key
    }
  }

  private func key(_ file: SigningKeyFile, opening given: GivenSecret) throws -> SigningKey {
    for other in given.all.dropLast() {
      do { return try file.key(passphrase: other) } catch SigningKeyError.wrongPassphrase { continue }
    }
    return try file.key(passphrase: given.all.last)
  }
}
