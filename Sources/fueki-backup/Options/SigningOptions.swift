internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

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

/// The places of signing keys.
enum SigningKeyPlace {
  /// Returns the file of the key that this machine makes for a vault without one, next to its state.
  static func ofVault(_ vault: VaultID) throws -> String {
    try Places.state().signingKeyPath(of: vault)
  }

  /// The same, where it was made.
  static func made(_ vault: VaultID) throws -> String? {
    guard let path = try? ofVault(vault), (try? OutputFile.checkFree(path)) == nil else { return nil }
    return path
  }

  /// Makes the key of a vault that has none.
  ///
  /// It is unencrypted, because no passphrase is requested.
  static func make(of vault: VaultID) throws -> SigningKey {
    let path = try ofVault(vault)
    _ = try make(at: path, comment: HostName.current, passphrase: nil, cost: .standard)
    return try read(path).key(passphrase: nil)
  }

  /// Reads a key's file, which only its owner may be able to read.
  static func read(_ path: String) throws -> SigningKeyFile {
    guard let bytes = try PrivateFile.bytes(path, atMost: SigningKeyFile.byteLimit) else {
      throw CommandError.signingKey(path: path, .malformed)
    }
    do {
      return try SigningKeyFile(bytes)
    } catch let error {
      throw CommandError.signingKey(path: path, error)
    }
  }

  /// Returns the file of the public line next to a key's: `signing.pub` for `signing.key`.
  static func publicFile(of path: String) -> String {
    (path.hasSuffix(".key") ? String(path.dropLast(4)) : path) + ".pub"
  }

  /// Writes a missing public line next to a key.
  static func completePublicFile(of path: String, _ signer: Signer) throws {
    let publicFile = publicFile(of: path)
    guard (try? OutputFile.checkFree(publicFile)) != nil else { return }
    try OutputFile.write(signer.line + "\n", to: publicFile, existing: .kept)
  }

  /// Makes a new key and writes both files, neither of which may be there.
  static func make(
    at path: String, comment: String, passphrase: SharedSecret?, cost: Argon2id.Cost
  ) throws -> Signer {
    try Directory.makePrivateDirectories(OutputFile.folder(of: path))
    let publicFile = publicFile(of: path)
    try OutputFile.checkFree(path)
    try OutputFile.checkFree(publicFile)
    let seed = SharedSecret(try SecretBytes.random(count: Ed25519.seedByteCount))
    let (file, signer) = try SigningKeyFile.make(
      seed: seed, comment: comment, passphrase: passphrase, cost: cost)
    try file.bytes.withBytes { bytes in try OutputFile.write(bytes, to: path, existing: .kept) }
    try OutputFile.write(signer.line + "\n", to: publicFile, existing: .kept)
    return signer
  }
}
