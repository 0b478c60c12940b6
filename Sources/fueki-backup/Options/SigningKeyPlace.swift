internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

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
