public import FuekiArchive
internal import FuekiCrypto

/// The signer of a vault's next archive.
public enum ArchiveSigning: Sendable {
  /// This key, chosen by the user or stored on this machine for the vault.
  case key(SigningKey)
  /// No signature, at the user's request.
  case nobody
  /// No key was chosen: makes one for a vault's first archive, so that every vault has a signer.
  case newVaults(makeKey: @Sendable () throws -> SigningKey)

  /// Finds the signing key.
  ///
  /// A machine that continues a signed vault, without having made an archive of it, also gets a key of its own, because
  /// the earlier key was on the lost machine. A vault that began unsigned stays unsigned until a key is chosen, because
  /// its other machines have no key either.
  ///
  /// - Parameters:
  ///   - isFirst: neither this machine nor any target knows of the vault.
  ///   - isContinuing: this machine has accepted the vault, and has made no archive of it.
  ///   - trust: the vault's signers. A machine that retired one makes a key, too.
  /// - Returns: nil for an unsigned archive.
  /// - Throws: ``LineageError/unsignedSuccessor`` if the vault has signers and none of their keys is available,
  ///   ``LineageError/retiredSigner(_:)`` for a retired key, and errors from making a key.
  func key(isFirst: Bool, isContinuing: Bool, _ trust: VaultTrust) throws -> SigningKey? {
    switch self {
    case .key(let key):
      guard !trust.retired.contains(key.publicKey) else { throw LineageError.retiredSigner(key.publicKey) }
      return key
    case .nobody: return nil
    case .newVaults(let makeKey):
      if isFirst { return try makeKey() }
      let isRenewed = !trust.retired.isEmpty
      guard isRenewed || !trust.signers.isEmpty else { return nil }
      guard isRenewed || isContinuing else { throw LineageError.unsignedSuccessor }
      return try makeKey()
    }
  }
}
