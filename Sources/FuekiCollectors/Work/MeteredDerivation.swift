package import FuekiBackup
package import FuekiCrypto
internal import FuekiSystem

/// Derives keys at a cost stated in a file.
///
/// Collectors use only these, so that no stated cost is trusted. A long derivation runs on a separate thread,
/// and an interruption does not wait for it.
extension WorkBudget {
  /// Derivations below these costs take a few milliseconds.
  private static let shortMemoryHard: UInt64 = 1 << 15
  private static let shortRounds = 1 << 14

  /// Derives a key by scrypt.
  ///
  /// - Throws: ``WorkBudget/Exceeded``, ``Interrupted``, and as ``Scrypt/derive(from:salt:cost:count:)``.
  package func scrypt(
    from password: borrowing SecretBytes, salt: [UInt8], cost: Scrypt.Cost, count: Int
  ) throws -> SecretBytes {
    let (blocks, isTooWide) = cost.n.multipliedReportingOverflow(by: cost.r)
    let (work, isTooMuch) = blocks.multipliedReportingOverflow(by: cost.p)
    let (memory, isTooLarge) = blocks.multipliedReportingOverflow(by: 128)
    guard !isTooWide, !isTooMuch, !isTooLarge, memory <= Self.memoryLimit else { throw Exceeded(.memoryHard) }
    try spend(work, on: .memoryHard)
    guard work > Self.shortMemoryHard else {
      return try Scrypt.derive(from: password, salt: salt, cost: cost, count: count)
    }
    let typed = SharedSecret(try password.copy(0..<password.count))
    return try Self.waiting {
      SharedSecret(try Scrypt.derive(from: typed.bytes, salt: salt, cost: cost, count: count))
    }
  }

  /// Derives a key by PBKDF2.
  ///
  /// - Throws: ``WorkBudget/Exceeded``, ``Interrupted``, and as ``PBKDF2/derive(from:salt:iterations:count:hash:)``.
  package func pbkdf2(
    from password: borrowing SecretBytes, salt: [UInt8], iterations: Int, count: Int,
    hash: PBKDF2.Hash = .sha256
  ) throws -> SecretBytes {
    try spend(iterations, on: .rounds)
    guard iterations > Self.shortRounds else {
      return try PBKDF2.derive(
        from: password, salt: try SecretBytes(copying: salt.span), iterations: iterations, count: count,
        hash: hash)
    }
    let typed = SharedSecret(try password.copy(0..<password.count))
    return try Self.waiting {
      SharedSecret(
        try PBKDF2.derive(
          from: typed.bytes, salt: try SecretBytes(copying: salt.span), iterations: iterations, count: count,
          hash: hash))
    }
  }

  /// Hashes a secret repeatedly with SHA-512, as Bitcoin Core does.
  ///
  /// - Throws: ``WorkBudget/Exceeded``, ``Interrupted``, and the errors of ``SecretBytes/init(count:)``.
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

  private static func waiting(_ body: @escaping @Sendable () throws -> SharedSecret) throws -> SecretBytes {
    guard let result = BoundedWait.answerUnlessInterrupted({ Result { try body() } }) else {
      throw Interrupted()
    }
    let key = try result.get()
    return try key.bytes.copy(0..<key.bytes.count)
  }
}
