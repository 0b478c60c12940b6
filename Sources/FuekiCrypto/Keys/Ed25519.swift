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

extension Ed25519 {
  /// A signer's public key, 32 bytes.
  ///
  /// It has the right length but may not be a point of the curve, in which case no signature verifies under
  /// it. Stored as four words, so that creating, comparing and keeping keys allocates nothing.
  public struct PublicKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The length of every key.
    public static let byteCount = 32

    // Big-endian, so that the order of the words is the order of the bytes.
    private let first, second, third, fourth: UInt64

    init(whole bytes: Span<UInt8>) {
      (first, second) = (bytes.word(at: 0), bytes.word(at: 8))
      (third, fourth) = (bytes.word(at: 16), bytes.word(at: 24))
    }

    /// Creates a key from 32 bytes; nil for any other length.
    init?(bytes: Span<UInt8>) {
      guard bytes.count == Self.byteCount else { return nil }
      self.init(whole: bytes)
    }

    /// Creates a key from 32 bytes; nil for any other length.
    public init?(bytes: [UInt8]) { self.init(bytes: bytes.span) }

    /// Reads 64 hexadecimal digits; nil for any other text.
    public init?(hex: some StringProtocol) {
      guard let bytes = Hex.decode(hex) else { return nil }
      self.init(bytes: bytes)
    }

    /// The bytes, in a new array for each access.
    public var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(Self.byteCount)
      for word in [first, second, third, fourth] { bytes.append(word: word) }
      return bytes
    }

    /// The bytes in lower-case hexadecimal.
    public var hex: String { Hex.encode(bytes) }

    /// The same as ``hex``.
    public var description: String { hex }

    /// Orders keys by their bytes.
    public static func < (a: PublicKey, b: PublicKey) -> Bool {
      (a.first, a.second, a.third, a.fourth) < (b.first, b.second, b.third, b.fourth)
    }
  }
}
