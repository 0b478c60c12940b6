public import FuekiCrypto

/// A slot for a new keychain.
public enum NewKeychainSlot: Sendable {
  /// A normalised passphrase, with the cost of a guess.
  case passphrase(SharedSecret, cost: Argon2id.Cost = .keychain)
  /// All bytes of a key file, 32 bytes…64 MiB.
  case keyFile(SharedSecret)
}
