internal import CSodium
internal import Synchronization

/// Bytes at a fixed address, kept out of swap and core dumps, and wiped when released.
///
/// A `String` or an array would be copied freely and could not be wiped. This type cannot be copied by
/// accident. Secrets of one size share locked pages, see `SecretArena`.
///
/// Safe because the pointer never leaves the module, every access is a span of exactly ``count`` bytes, and only
/// `deinit` gives it back. Sendable because a value has one owner, and the bytes change only through `mutating` access.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
  private static let mlockRefused = Atomic(false)

  /// The number of bytes, which may be 0.
  public let count: Int
  private let base: UnsafeMutablePointer<UInt8>

  /// Makes a secret of zeros.
  ///
  /// - Throws: ``CryptoError/outOfMemory``, ``CryptoError/invalidLength`` for a negative count, or
  ///   ``CryptoError/unavailable``.
  public init(count: Int) throws(CryptoError) {
    guard count >= 0 else { throw .invalidLength }
    try Sodium.start()
    unsafe base = try SecretArena.shared.take(count).bindMemory(to: UInt8.self, capacity: count)
    self.count = count
    unsafe base.update(repeating: 0, count: count)
  }

  /// Copies bytes, which the caller must wipe.
  ///
  /// - Throws: As ``init(count:)``.
  public init(copying bytes: Span<UInt8>) throws(CryptoError) {
    try self.init(count: bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe base.update(from: start, count: source.count)
    }
  }

  /// Creates a secret that the closure fills in place, so that its bytes are never elsewhere.
  ///
  /// - Throws: As ``init(count:)``, and the closure's errors.
  public init<E: Error>(count: Int, filling: (inout MutableSpan<UInt8>) throws(E) -> Void) throws {
    var secret = try SecretBytes(count: count)
    try secret.withMutableBytes(filling)
    self = secret
  }

  /// Draws bytes from the system's generator.
  ///
  /// - Throws: As ``init(count:)``.
  public static func random(count: Int) throws(CryptoError) -> SecretBytes {
    let secret = try SecretBytes(count: count)
    unsafe randombytes_buf(secret.base, count)
    return secret
  }

  deinit { unsafe SecretArena.shared.give(back: base, count) }

  /// Lends the bytes for reading while the closure runs.
  ///
  /// - Throws: The closure's errors.
  public borrowing func withBytes<R: ~Copyable, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let bytes = unsafe Span(_unsafeStart: UnsafePointer(base), count: count)
    return try body(bytes)
  }

  /// Lends the bytes for writing while the closure runs.
  ///
  /// - Throws: The closure's errors.
  public mutating func withMutableBytes<R: ~Copyable, E: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    var bytes = unsafe MutableSpan(_unsafeStart: base, count: count)
    return try body(&bytes)
  }

  /// Compares in a time that depends on the lengths only.
  public borrowing func isEqualInConstantTime(to other: borrowing SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe sodium_memcmp(base, other.base, count) == 0
  }

  /// Copies a range of the bytes into a new secret.
  ///
  /// - Throws: ``CryptoError/invalidLength`` if the range exceeds ``count``, else as ``init(count:)``.
  public borrowing func copy(_ range: Range<Int>) throws(CryptoError) -> SecretBytes {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .invalidLength }
    let part = try SecretBytes(count: range.count)
    unsafe part.base.update(from: base + range.lowerBound, count: range.count)
    return part
  }

  /// Whether the system refused to lock a secret of this process, which may then be swapped out.
  public static var lockedMemoryWasRefused: Bool { mlockRefused.load(ordering: .relaxed) }

  /// Notes that the system refused to lock a secret in another process of this run.
  package static func noteLockRefusal() { mlockRefused.store(true, ordering: .relaxed) }

  /// Lends the address to this module's C calls.
  ///
  /// The borrow keeps the memory alive while the closure runs.
  borrowing func withPointer<R, E: Error>(
    _ body: (UnsafeMutablePointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(base)
  }
}

extension MutableSpan where Element == UInt8 {
  /// Copies bytes to an offset, with a single check.
  ///
  /// - Parameters:
  ///   - bytes: must fit: `start + bytes.count` is at most ``count``.
  ///   - start: the offset of the first byte, from 0.
  public mutating func write(_ bytes: Span<UInt8>, at start: Int) {
    precondition(start >= 0 && bytes.count <= count - start, "the bytes do not fit")
    unsafe withUnsafeMutableBufferPointer { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        unsafe (target + start).update(from: source, count: bytes.count)
      }
    }
  }
}

/// A secret with several owners, or in an array, which noncopyable values do not allow.
///
/// The bytes are wiped when the last owner releases them.
public final class SharedSecret: Sendable {
  /// The secret.
  public let bytes: SecretBytes

  /// Takes ownership of the secret.
  public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

extension Array where Element: FixedWidthInteger {
  /// Overwrites the elements with zeros, for arrays that briefly hold what belongs in ``SecretBytes``.
  ///
  /// The array must not be shared, and must never have grown beyond its capacity: reallocation leaves an
  /// unwiped copy.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe sodium_memzero(start, bytes.count)
    }
  }
}

extension [UInt8] {
  /// Copies a message with room for a hash's padding, so that appending it leaves no copy behind.
  init(toBePadded message: Span<UInt8>) {
    self.init(capacity: message.count + 2 * 64) { output in
      for place in message.indices { output.append(message[place]) }
    }
  }
}

/// Public randomness: salts, nonces and identifiers.
///
/// Keys come from ``SecretBytes/random(count:)`` instead.
public enum RandomBytes {
  /// Draws bytes from the system's generator.
  public static func bytes(_ count: Int) -> [UInt8] {
    // Without the generator no result could be trusted, and libsodium itself aborts on its failure.
    precondition(Sodium.isReady, "libsodium could not be started")
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe randombytes_buf(&bytes, count)
    return bytes
  }
}

/// Comparison in constant time.
public enum ConstantTime {
  /// Compares in a time that depends on the lengths only.
  public static func areEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe a.withUnsafeBufferPointer { a in
      unsafe b.withUnsafeBufferPointer { b in
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return unsafe sodium_memcmp(first, second, a.count) == 0
      }
    }
  }
}
