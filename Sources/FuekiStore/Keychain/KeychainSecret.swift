public import FuekiCrypto

/// A secret that opens a keychain.
public enum KeychainSecret: Sendable {
  /// A passphrase, normalised by ``Passphrase``.
  case passphrase(SharedSecret)
  /// All bytes of a key file, 32 bytes…64 MiB.
  case keyFile(SharedSecret)

  /// Copies a passphrase, which remains with its owner.
  public static func passphrase(copying passphrase: borrowing Passphrase) throws(CryptoError)
    -> KeychainSecret
  {
    .passphrase(SharedSecret(try passphrase.bytes.copy(0..<passphrase.bytes.count)))
  }
}
