public import FuekiCrypto

/// An Ed25519 key that signs archives.
public struct SigningKey: Sendable {
  /// The public key that verifies its signatures, as in the header.
  public let publicKey: Ed25519.PublicKey
  let seed: SharedSecret

  /// - Parameter seed: 32 bytes, RFC 8032's private key.
  /// - Throws: ``CryptoError`` if the public key cannot be computed.
  public init(seed: SharedSecret) throws(CryptoError) {
    self.seed = seed
    publicKey = try Ed25519.publicKey(seed: seed.bytes)
  }

  /// Signs a message, which must start with its own label, so that uses of the key cannot be confused.
  package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try Ed25519.sign(message, seed: seed.bytes)
  }
}
