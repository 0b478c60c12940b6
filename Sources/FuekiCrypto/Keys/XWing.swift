internal import Crypto
internal import FoundationEssentials

/// A key that only who breaks both X25519 and ML-KEM-768 can do without (draft-connolly-cfrg-xwing-kem), as age's
/// `age1pq1…` have it.
///
/// It is swift-crypto's, which keeps the seed in an object of its own for as long as a call takes, and does not wipe
/// it.
public enum XWing {
  /// The length of a private key, from which all else is derived.
  public static let seedByteCount = 32
  /// The length of a public key: ML-KEM-768's, then X25519's.
  public static let publicKeyByteCount = 1216
  /// The length of an encapsulation: ML-KEM-768's ciphertext, then an ephemeral X25519 public key.
  public static let encapsulationByteCount = 1120

  private typealias Scheme = XWingMLKEM768X25519

  /// Computes the public key of a seed.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length.
  public static func publicKey(of seed: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    Array(try privateKey(seed).publicKey.rawRepresentation)
  }

  /// Draws a secret, and seals it to a public key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/invalidPoint`` for a key that no seed
  ///   has: a coefficient is not reduced (FIPS 203, section 7.2), or the X25519 part is of small order.
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

  /// Opens what was sealed to a seed's public key.
  ///
  /// An encapsulation that is another key's gives another secret, and no error.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for a seed and ``CryptoError/invalidLength`` for an encapsulation of another
  ///   length, ``CryptoError/invalidPoint`` where the X25519 product is all zeros.
  public static func decapsulate(
    _ encapsulation: [UInt8], with seed: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    guard encapsulation.count == encapsulationByteCount else { throw .invalidLength }
    let key = try privateKey(seed)
    // Whether a point is of small order does not depend on what it is multiplied by, so the seed serves.
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
