internal import COpenSSL
internal import CSodium

/// Key derivation by scrypt, for formats that require it.
///
/// See RFC 7914.
public enum Scrypt {
  /// The parameters of a derivation.
  public struct Cost: Hashable, Sendable {
    /// The cost in time and memory, a power of two.
    public let n: UInt64
    /// The block size.
    public let r: UInt64
    /// The parallelisation parameter: the number of blocks.
    public let p: UInt64

    /// Creates the cost of one derivation.
    public init(n: UInt64, r: UInt64, p: UInt64) {
      self.n = n
      self.r = r
      self.p = p
    }
  }

  /// The memory limit of a derivation in bytes, because a hostile file may demand any amount.
  static let memoryLimit: UInt64 = 1 << 30

  /// Derives a key.
  ///
  /// A long derivation runs on a thread of its own, and an interruption does not wait for it.
  ///
  /// - Throws: ``CryptoError/interrupted``, ``CryptoError/derivationFailed`` for a cost that the algorithm does not define, or that is beyond
  ///   ``memoryLimit``; ``CryptoError/invalidLength`` for no key; or what making a ``SecretBytes`` throws.
  public static func derive(
    from password: borrowing SecretBytes, salt: [UInt8], cost: Cost, count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard 1...(1 << 20) ~= count else { throw .invalidLength }
    // No wallet uses p over 16. A file that does is meant to waste time.
    guard cost.n > 1, cost.n <= 1 << 24, 1...64 ~= cost.r, 1...16 ~= cost.p else {
      throw .derivationFailed
    }
    return try StartedDerivation.key(
      isShort: cost.n * cost.r * cost.p <= shortBlockCount, from: password
    ) { (password) throws(CryptoError) in
      try mix(password, salt, cost, count: count)
    }
  }

  /// Mixing so many blocks takes some milliseconds.
  private static let shortBlockCount: UInt64 = 1 << 15

  private static func mix(
    _ password: borrowing SecretBytes, _ salt: [UInt8], _ cost: Cost, count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard !cost.isBeyondDefinition else {
      return try deriveBeyondDefinition(from: password, salt: salt, cost: cost, count: count)
    }
    let key = try SecretBytes(count: count)
    let status = unsafe key.withPointer { key in
      unsafe password.withPointer { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: password.count) { text in
          unsafe EVP_PBE_scrypt(
            text, password.count, salt, salt.count, cost.n, cost.r, cost.p, memoryLimit + (1 << 20), key,
            count)
        }
      }
    }
    guard status == 1 else {
      ERR_clear_error()
      throw .derivationFailed
    }
    return key
  }

  /// Derives a key with a cost that RFC 7914 and OpenSSL exclude for its small blocks.
  ///
  /// The example of the Web3 Secret Storage definition has such a cost.
  private static func deriveBeyondDefinition(
    from password: borrowing SecretBytes, salt: [UInt8], cost: Cost, count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard cost.n & (cost.n - 1) == 0, cost.n * cost.r <= memoryLimit / 128 else { throw .derivationFailed }
    try Sodium.start()
    let key = try SecretBytes(count: count)
    let status = unsafe key.withPointer { key in
      unsafe password.withPointer { bytes in
        unsafe crypto_pwhash_scryptsalsa208sha256_ll(
          bytes, password.count, salt, salt.count, cost.n, UInt32(cost.r), UInt32(cost.p), key, count)
      }
    }
    guard status == 0 else { throw .derivationFailed }
    return key
  }
}

extension Scrypt.Cost {
  /// Whether N is 2 to the power of 16 r or more.
  fileprivate var isBeyondDefinition: Bool { r < 4 && n >= 1 << (16 * r) }
}
