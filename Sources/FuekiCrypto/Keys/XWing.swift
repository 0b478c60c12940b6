internal import CSodium
internal import Crypto
internal import FoundationEssentials

/// Key agreement on Curve25519 (RFC 7748), whose keys age encodes as `age1…` and `AGE-SECRET-KEY-1…`.
public enum X25519 {
  /// The length of a private key, a public key and a product.
  public static let byteCount = 32

  /// Computes the public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/unavailable``.
  public static func publicKey(of privateKey: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == byteCount else { throw .invalidKey }
    try Sodium.start()
    var publicKey = [UInt8](repeating: 0, count: byteCount)
    let result = unsafe privateKey.withPointer { unsafe crypto_scalarmult_base(&publicKey, $0) }
    guard result == 0 else { throw .invalidKey }
    return publicKey
  }

  /// Multiplies a public key by a private key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/invalidPoint`` if the product is
  ///   all zeros: the public key has small order, and no secret would be shared (RFC 7748, section 6.1).
  public static func product(
    _ privateKey: borrowing SecretBytes, _ publicKey: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard privateKey.count == byteCount, publicKey.count == byteCount else { throw .invalidKey }
    let product = try SecretBytes(count: byteCount)
    let result = unsafe product.withPointer { product in
      unsafe privateKey.withPointer { unsafe crypto_scalarmult(product, $0, publicKey) }
    }
    guard result == 0 else { throw .invalidPoint }
    return product
  }
}

/// The hybrid KEM of X25519 and ML-KEM-768 behind age's `age1pq1…`: both must be broken to recover a secret.
///
/// See draft-connolly-cfrg-xwing-kem. Implemented by swift-crypto, which keeps the seed in an object of its
/// own for the duration of a call and does not wipe it.
public enum XWing {
  /// The length of a private key's seed, from which everything else is derived.
  public static let seedByteCount = 32
  /// The length of a public key: ML-KEM-768's, then X25519's.
  package static let publicKeyByteCount = 1216
  /// The length of an encapsulation: ML-KEM-768's ciphertext, then an ephemeral X25519 public key.
  public static let encapsulationByteCount = 1120

  private typealias Scheme = XWingMLKEM768X25519

  /// Computes the public key of a seed.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length.
  public static func publicKey(of seed: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    Array(try privateKey(seed).publicKey.rawRepresentation)
  }

  /// Draws a secret and encapsulates it to a public key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/invalidPoint`` for a key that no
  ///   seed yields: a coefficient is not reduced (FIPS 203, section 7.2), or the X25519 part has small order.
  public static func encapsulate(
    to publicKey: [UInt8]
  ) throws(CryptoError) -> (encapsulation: [UInt8], secret: SharedSecret) {
    guard publicKey.count == publicKeyByteCount else { throw .invalidKey }
    let result: KEM.EncapsulationResult
    do {
      result = try Scheme.PublicKey(rawRepresentation: publicKey).encapsulate()
    } catch { throw .invalidPoint }
    return (Array(result.encapsulated), SharedSecret(try secret(result.sharedSecret)))
  }

  /// Recovers the secret encapsulated to a seed's public key.
  ///
  /// An encapsulation for another key yields another secret without an error.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for a seed and ``CryptoError/invalidLength`` for an encapsulation
  ///   of another length, ``CryptoError/invalidPoint`` if the X25519 product is all zeros.
  public static func decapsulate(
    _ encapsulation: [UInt8], with seed: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    guard encapsulation.count == encapsulationByteCount else { throw .invalidLength }
    let key = try privateKey(seed)
    // A point's small order shows with any scalar, so the seed can serve as one.
    _ = try X25519.product(seed, Array(encapsulation.suffix(X25519.byteCount)))
    let shared: SymmetricKey
    do {
      shared = try key.decapsulate(Data(encapsulation))
    } catch { throw .invalidPoint }
    return try secret(shared)
  }

  private static func privateKey(_ seed: borrowing SecretBytes) throws(CryptoError) -> Scheme.PrivateKey {
    guard seed.count == seedByteCount else { throw .invalidKey }
    do {
      return try unsafe seed.withPointer { pointer in
        // Not copied: the bytes are read before the call returns.
        let bytes = unsafe Data(bytesNoCopy: pointer, count: seedByteCount, deallocator: .none)
        return try Scheme.PrivateKey(seedRepresentation: bytes, publicKey: nil)
      }
    } catch { throw .invalidKey }
  }

  private static func secret(_ key: SymmetricKey) throws(CryptoError) -> SecretBytes {
    let count = key.bitCount / 8
    let secret = try SecretBytes(count: count)
    unsafe secret.withPointer { target in
      unsafe key.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: source)
      }
    }
    return secret
  }
}
