public import FuekiCrypto

/// A secret that opens a keychain.
public enum KeychainSecret: Sendable {
  /// A passphrase, normalised by ``Passphrase``.
  case passphrase(SharedSecret)
  /// All bytes of a key file, 32 bytes…64 MiB.
  case keyFile(SharedSecret)
}
