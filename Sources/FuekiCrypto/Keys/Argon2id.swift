internal import CSodium
internal import FuekiSystem

/// Derivation of a key from a passphrase at a chosen cost: Argon2id version 1.3 with one lane.
///
/// See RFC 9106; implemented by libsodium's `crypto_pwhash`.
public enum Argon2id {
  /// The length of every salt.
  public static let saltByteCount = 16

  /// The cost of one guess.
  public struct Cost: Hashable, Sendable {
    /// The memory filled, in KiB.
    public let memoryKiB: UInt32
    /// How many times the memory is filled.
    public let passes: UInt32

    /// Creates a cost without checking it.
    ///
    /// The archive format limits what an archive may demand.
    public init(memoryKiB: UInt32, passes: UInt32) {
      self.memoryKiB = memoryKiB
      self.passes = passes
    }

    /// The cost of a new passphrase unless the user chooses another: 256 MiB, 3 passes.
    public static let standard = Cost(memoryKiB: 256 << 10, passes: 3)
  }

  /// Derives a key; takes the time and the memory that the cost says.
  ///
  /// A long derivation runs on a thread of its own, and an interruption does not wait for it.
  ///
  /// - Throws: ``CryptoError/interrupted``, ``CryptoError/invalidLength`` for another salt than 16 bytes or a count under 16,
  ///   ``CryptoError/derivationFailed`` for a cost under 8 KiB or one pass, ``CryptoError/outOfMemory`` or
  ///   ``CryptoError/unavailable``.
  public static func derive(
    from passphrase: borrowing SecretBytes, salt: [UInt8], cost: Cost, count: Int = 32
  ) throws(CryptoError) -> SecretBytes {
    guard salt.count == saltByteCount, count >= crypto_pwhash_bytes_min() else { throw .invalidLength }
    let memory = UInt64(cost.memoryKiB) * 1024
    guard memory >= crypto_pwhash_memlimit_min(), memory <= crypto_pwhash_memlimit_max(),
      cost.passes >= crypto_pwhash_opslimit_min()
    else { throw .derivationFailed }
    return try StartedDerivation.key(
      isShort: memory * UInt64(cost.passes) <= shortByteCount, from: passphrase
    ) { (passphrase) throws(CryptoError) in
      try fill(passphrase, salt, cost, memory: Int(memory), count: count)
    }
  }

  /// Filling so many bytes takes some milliseconds.
  private static let shortByteCount: UInt64 = 16 << 20

  private static func fill(
    _ passphrase: borrowing SecretBytes, _ salt: [UInt8], _ cost: Cost, memory: Int, count: Int
  ) throws(CryptoError) -> SecretBytes {
    let key = try SecretBytes(count: count)
    let length = passphrase.count
    let status = unsafe key.withPointer { key in
      unsafe passphrase.withPointer { passphrase in
        unsafe passphrase.withMemoryRebound(to: CChar.self, capacity: length) { text in
          unsafe crypto_pwhash(
            key, UInt64(count), text, UInt64(length), salt, UInt64(cost.passes), memory,
            crypto_pwhash_alg_argon2id13())
        }
      }
    }
    // The parameters were checked above, so only a lack of memory remains.
    guard status == 0 else { throw .outOfMemory }
    return key
  }
}

/// The derivation of a key on a thread of its own, which its caller can abandon.
///
/// No library stops a derivation that it has begun. The derivation owns a copy of what it reads, and its result: both
/// are wiped by whichever ends last, the thread or its caller. An abandoned one keeps its memory until the process
/// ends, and after an interruption no other begins.
enum StartedDerivation {
  /// Derives a key that takes no longer than some milliseconds here, and a longer one on a thread of its own.
  static func key(
    isShort: Bool, from password: borrowing SecretBytes,
    _ derive: @escaping @Sendable (borrowing SecretBytes) throws(CryptoError) -> SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    guard !isShort else { return try derive(password) }
    let own = SharedSecret(try password.copy(0..<password.count))
    let grace = DerivationGrace.seconds
    let result = BoundedWait.answerUnlessInterrupted(grace: grace) {
      () -> Result<SharedSecret, CryptoError> in
      do throws(CryptoError) {
        return .success(SharedSecret(try derive(own.bytes)))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw .interrupted }
    let key = try result.get()
    return try key.bytes.copy(0..<key.bytes.count)
  }
}

/// How long derivations go on after an interruption.
package enum DerivationGrace {
  @TaskLocal fileprivate static var seconds = 0.0

  /// Lets the derivations of some work go on after an interruption, as long as other cleanup may take.
  package static func forCleanup<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    try $seconds.withValue(Interruption.cleanupSeconds, operation: body)
  }
}
