public import FuekiArchive
public import FuekiCrypto

/// The passphrase of an app's archives, which is wiped from memory when its last use ends.
public struct VaultPassphrase: ~Copyable, Sendable {
  fileprivate let secret: SharedSecret

  /// Normalises a passphrase as the user typed it.
  ///
  /// - Parameter utf8: UTF-8 without a line end, 1…1024 bytes once normalised; the caller must wipe them.
  /// - Throws: ``CryptoError/invalidPassphrase(_:)``, or another ``CryptoError`` if memory cannot be allocated.
  public init(utf8: Span<UInt8>) throws(CryptoError) {
    let typed = try SecretBytes(copying: utf8)
    let normalised = try Passphrase(normalising: typed)
    secret = SharedSecret(try normalised.bytes.copy(0..<normalised.bytes.count))
  }
}

extension NewSlot {
  /// Creates a slot that opens all scopes with a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase.
  ///   - cost: the cost of Argon2id, within ``Limits``; checked when an archive is written.
  /// - Returns: a request, with nothing derived yet.
  public static func passphrase(
    _ passphrase: borrowing VaultPassphrase, cost: Argon2id.Cost = .standard
  ) -> NewSlot {
    .passphrase(passphrase.secret, cost: cost)
  }
}

extension UnlockingSecrets {
  /// Returns secrets with one passphrase.
  public static func passphrase(_ passphrase: borrowing VaultPassphrase) -> UnlockingSecrets {
    UnlockingSecrets(passphrases: [passphrase.secret])
  }
}
