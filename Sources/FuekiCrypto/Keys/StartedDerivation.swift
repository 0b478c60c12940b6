internal import FuekiSystem

/// The derivation of a key on a thread of its own, which its caller can abandon.
///
/// No library stops a derivation that it has begun. The derivation owns a copy of what it reads, and its result: both
/// are wiped by whichever ends last, the thread or its caller. An abandoned one keeps its memory until the process
/// ends, and after an interruption no other begins.
enum StartedDerivation {
  /// Derives a key that takes no longer than some milliseconds here, and a longer one on a thread of its own.
  ///
  /// - Parameters:
  ///   - isShort: whether it takes some milliseconds.
  ///   - password: the input of the derivation.
  ///   - derive: the derivation, which is given the password.
  /// - Returns: the key.
  /// - Throws: ``CryptoError/interrupted`` after an `Interruption`, and what the derivation throws.
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
