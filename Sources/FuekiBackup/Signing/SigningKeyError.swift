public import FuekiCrypto

/// An error in reading a signing key's file.
public enum SigningKeyError: Error, Equatable, Sendable {
  /// It is no such file, or not written as one is.
  case malformed
  /// A later version wrote it.
  case newer(String)
  /// Its key derivation costs more, or less, than an archive's may.
  case overLimit
  /// It is sealed, and no passphrase was given.
  case needsPassphrase
  /// The passphrase is wrong, or the file was changed: the cryptography cannot tell.
  case wrongPassphrase
  /// Its seed is not that of its public key.
  case anotherKey
  /// Memory cannot be allocated.
  case crypto(CryptoError)
}
