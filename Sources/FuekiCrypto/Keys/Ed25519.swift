internal import CSodium

/// Ed25519 signatures, verified as strictly as libsodium does.
///
/// S must be below the order. Small-order and non-canonical keys and small-order R are refused. See RFC 8032.
public enum Ed25519 {
  /// The length of a private seed.
  public static let seedByteCount = 32
  /// The length of a signature.
  public static let signatureByteCount = 64

  /// Verifies a signature.
  ///
  /// A signature of the wrong length is invalid.
  public static func isValid(signature: [UInt8], over message: [UInt8], publicKey: PublicKey) -> Bool {
    guard signature.count == signatureByteCount, Sodium.isReady else { return false }
    return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey.bytes) == 0
  }

  /// Signs a message deterministically: equal seeds and messages yield equal signatures.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length of seed, ``CryptoError/outOfMemory`` or
  ///   ``CryptoError/unavailable``.
  public static func sign(_ message: [UInt8], seed: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    let pair = try KeyPair(seed: seed)
    var signature = [UInt8](repeating: 0, count: signatureByteCount)
    unsafe pair.secret.withPointer { secret in
      _ = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret)
    }
    return signature
  }

  /// Computes the public key of a seed.
  ///
  /// - Throws: As ``sign(_:seed:)``.
  public static func publicKey(seed: borrowing SecretBytes) throws(CryptoError) -> PublicKey {
    try KeyPair(seed: seed).publicKey
  }

  private struct KeyPair: ~Copyable {
    let publicKey: PublicKey
    let secret: SecretBytes

    init(seed: borrowing SecretBytes) throws(CryptoError) {
      guard seed.count == seedByteCount else { throw .invalidKey }
      let secret = try SecretBytes(count: crypto_sign_secretkeybytes())
      var publicKey = [UInt8](repeating: 0, count: PublicKey.byteCount)
      unsafe secret.withPointer { secret in
        unsafe seed.withPointer { seed in _ = unsafe crypto_sign_seed_keypair(&publicKey, secret, seed) }
      }
      self.publicKey = PublicKey(whole: publicKey.span)
      self.secret = secret
    }
  }
}
