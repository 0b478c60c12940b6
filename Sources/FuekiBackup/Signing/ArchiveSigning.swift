public import FuekiArchive
internal import FuekiCrypto

/// Who signs a vault's next archive.
public enum ArchiveSigning: Sendable {
  /// This key, which was named or is the vault's on this machine.
  case key(SigningKey)
  /// Nobody: the person said so.
  case nobody
  /// No key was named: one is made for a vault's first archive, so that every vault has a signer.
  case newVaults(makeKey: @Sendable () throws -> SigningKey)

  /// Finds the key that signs.
  ///
  /// A machine that continues a signed vault without ever having made an archive of it gets a key of its own, too: the one
  /// that signed before is on the machine that was lost. A vault that began unsigned stays so until a key is named: its
  /// other machines have none either.
  ///
  /// - Parameters:
  ///   - isFirst: neither this machine nor any target knows of the vault.
  ///   - isContinuing: this machine has accepted the vault, and has made no archive of it.
  ///   - signers: the vault's signers.
  /// - Returns: nil where the archive is to be unsigned.
  /// - Throws: ``LineageError/unsignedSuccessor`` where the vault has signers and none of their keys is at hand, and
  ///   what making a key throws.
  func key(isFirst: Bool, isContinuing: Bool, signers: Set<Ed25519.PublicKey>) throws -> SigningKey? {
    switch self {
    case .key(let key): return key
    case .nobody: return nil
    case .newVaults(let makeKey):
      if isFirst { return try makeKey() }
      guard !signers.isEmpty else { return nil }
      guard isContinuing else { throw LineageError.unsignedSuccessor }
      return try makeKey()
    }
  }
}
