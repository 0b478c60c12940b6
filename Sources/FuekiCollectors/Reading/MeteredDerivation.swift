package import FuekiSources
package import FuekiCrypto
internal import FuekiSystem

/// Derivations of keys at a cost that a file states.
///
/// Collectors derive through these alone, so that no cost is taken on a file's word.
extension WorkBudget {
  /// So many rounds take a few milliseconds.
  private static let shortRounds = 1 << 14

  /// Derives a key by scrypt.
  package func scrypt(
    from password: borrowing SecretBytes, salt: [UInt8], cost: Scrypt.Cost, count: Int
  ) throws -> SecretBytes {
    let (blocks, isTooWide) = cost.n.multipliedReportingOverflow(by: cost.r)
    let (work, isTooMuch) = blocks.multipliedReportingOverflow(by: cost.p)
    let (memory, isTooLarge) = blocks.multipliedReportingOverflow(by: 128)
    guard !isTooWide, !isTooMuch, !isTooLarge, memory <= Self.memoryLimit else { throw Exceeded(.memoryHard) }
    try spend(work, on: .memoryHard)
    return try Self.interruptible { () throws(CryptoError) in
      try Scrypt.derive(from: password, salt: salt, cost: cost, count: count)
    }
  }

  /// Derives a key by PBKDF2.
  package func pbkdf2(
    from password: borrowing SecretBytes, salt: [UInt8], iterations: Int, count: Int,
    hash: PBKDF2.Hash = .sha256
  ) throws -> SecretBytes {
    try spend(iterations, on: .rounds)
    return try Self.interruptible { () throws(CryptoError) in
      try PBKDF2.derive(
        from: password, salt: try SecretBytes(copying: salt.span), iterations: iterations, count: count,
        hash: hash)
    }
  }

  /// Hashes a secret repeatedly with SHA-512, as Bitcoin Core does.
  package func sha512(_ secret: consuming SecretBytes, rounds: Int) throws -> SecretBytes {
    try spend(rounds, on: .rounds)
    let shared = SharedSecret(secret)
    guard rounds > Self.shortRounds else {
      return try shared.bytes.withBytes { try SHA512.secretHash($0, rounds: rounds) }
    }
    return try Self.waiting {
      SharedSecret(try shared.bytes.withBytes { try SHA512.secretHash($0, rounds: rounds) })
    }
  }

  private static func interruptible(
    _ derive: () throws(CryptoError) -> SecretBytes
  ) throws -> SecretBytes {
    do throws(CryptoError) {
      return try derive()
    } catch .interrupted {
      throw Interrupted()
    }
  }

  private static func waiting(_ body: @escaping @Sendable () throws -> SharedSecret) throws -> SecretBytes {
    guard let result = BoundedWait.answerUnlessInterrupted({ Result { try body() } }) else {
      throw Interrupted()
    }
    let key = try result.get()
    return try key.bytes.copy(0..<key.bytes.count)
  }
}
