package import FuekiArchive
package import FuekiCrypto
internal import FuekiSystem

// The signing key that this machine makes for a vault without one, in its state. It is unencrypted, because
// an unattended backup cannot ask for a passphrase.

extension StateDirectory {
  /// The path of the file of the signing key that this machine makes for a vault.
  package func signingKeyPath(of vault: VaultID) -> String { "\(path)/\(Self.signingKeyName(vault))" }

  private static func signingKeyName(_ vault: VaultID) -> String { "signing-\(vault.hex).key" }

  /// Returns the file of the signing key that this machine made for a vault; nil if there is none.
  ///
  /// - Throws: ``SigningKeyError``, and `SystemError` if the file cannot be read.
  package func signingKey(of vault: VaultID) throws -> SigningKeyFile? {
    do {
      let file = try File.openRegular(signingKeyPath(of: vault), symbolicLinks: .refuse)
      let size = try file.size()
      guard let count = Int(exactly: size), count <= SigningKeyFile.byteLimit else {
        throw SigningKeyError.malformed
      }
      let bytes = try SecretBytes(count: count) { buffer in _ = try file.pread(into: &buffer, at: 0) }
      return try SigningKeyFile(bytes)
    } catch let error as SystemError where error.isNotFound {
      return nil
    }
  }

  /// The key that this machine made for a vault, if it has one; none either if its file cannot be read, so that what it
  /// signed counts as another machine's.
  package func ownKeys(of vault: VaultID) -> Set<Ed25519.PublicKey> {
    Set([try? signingKey(of: vault)?.signer.publicKey].compactMap(\.self))
  }

  /// Makes a vault's signing key and keeps it, durably, with permissions 0600.
  ///
  /// - Parameters:
  ///   - vault: the vault, which has no key on this machine yet.
  ///   - comment: the name of this machine, for people.
  /// - Returns: the key, as read back.
  /// - Throws: `SystemError` if the file cannot be written or exists.
  func makeSigningKey(of vault: VaultID, comment: String) throws -> SigningKey {
    let seed = SharedSecret(try SecretBytes.random(count: Ed25519.seedByteCount))
    let made = try SigningKeyFile.make(seed: seed, comment: comment, passphrase: nil, cost: .standard)
    let folder = try Directory.open(path)
    try made.file.bytes.withBytes { bytes in
      try folder.writeWhole(bytes, as: Self.signingKeyName(vault), replacing: false)
    }
    guard let kept = try signingKey(of: vault) else { throw SigningKeyError.malformed }
    return try kept.key(passphrase: nil)
  }

  /// Renames the signing key that this machine made for a vault if it is one of these, so that the next archive gets
  /// another.
  ///
  /// The file stays: its owner may have to show what it signed.
  ///
  /// - Returns: whether it was one of these.
  /// - Throws: ``SigningKeyError``, and `SystemError`.
  package func retireSigningKey(of vault: VaultID, among keys: Set<Ed25519.PublicKey>) throws -> Bool {
    guard let key = try signingKey(of: vault)?.signer.publicKey, keys.contains(key) else { return false }
    let folder = try Directory.open(path)
    let name = Self.signingKeyName(vault)
    let retired = "retired-\(vault.hex)-\(key.hex.prefix(8))"
    // The public file first: a key without one is whole, and is renamed by the next run.
    let publicName = "\(name.dropLast(4)).pub"
    if try folder.contains(publicName) {
      try folder.rename(publicName, to: "\(retired).pub", replacing: true)
    }
    try folder.rename(name, to: "\(retired).key", replacing: true)
    return true
  }

  /// Returns the signer of a vault's next archive: the kept key, or a new one if the archive is this machine's first.
  func signing(of vault: VaultID) throws -> ArchiveSigning {
    if let kept = try signingKey(of: vault) { return .key(try kept.key(passphrase: nil)) }
    return .newVaults { try makeSigningKey(of: vault, comment: HostName.current) }
  }
}
