internal import COpenSSL
internal import CSodium

/// Derivation of keys by scrypt, for what others have chosen it; see RFC 7914.
public enum Scrypt {
  /// How much a derivation may cost.
  public struct Cost: Hashable, Sendable {
    /// The cost in time and memory, a power of two.
    public let n: UInt64
    /// The size of blocks.
    public let r: UInt64
    /// How many blocks there are.
    public let p: UInt64

    /// The cost of one derivation.
    public init(n: UInt64, r: UInt64, p: UInt64) {
      self.n = n
      self.r = r
      self.p = p
    }
  }

  /// The memory that a derivation may take: what a file asks for is the file's word, and may be hostile.
  public static let memoryLimit: UInt64 = 1 << 30

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
    // Passes over the memory beyond sixteen are a trap, and no wallet's choice.
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

  /// Derives a key with a cost that RFC 7914 leaves out for its small blocks, and OpenSSL with it; the example of the
  /// Web3 Secret Storage definition has such a one.
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
  /// Whether N is not below 2 to the power of 16 r.
  fileprivate var isBeyondDefinition: Bool { r < 4 && n >= 1 << (16 * r) }
}
