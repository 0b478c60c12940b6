internal import CSodium
internal import Synchronization

/// Bytes that live at one address, are kept out of swap and core dumps, and are wiped when let go.
///
/// A `String` or an array of the same bytes would be copied freely and could not be wiped; this cannot be copied
/// unawares. Every value costs guard pages and a locked page, so hold few.
///
/// Safe because the pointer never leaves the module, every access is a span of exactly ``count`` bytes, and only
/// `deinit` frees it. Sendable because a value has one owner, and the bytes change only through `mutating` access.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
  private static let mlockRefused = Atomic(false)

  /// How many bytes there are; 0 is allowed.
  public let count: Int
  private let base: UnsafeMutablePointer<UInt8>

  /// Makes a secret of zeros.
  ///
  /// - Throws: ``CryptoError/outOfMemory``, ``CryptoError/invalidLength`` for a negative count, or
  ///   ``CryptoError/unavailable``.
  public init(count: Int) throws(CryptoError) {
    guard count >= 0 else { throw .invalidLength }
    try Sodium.start()
    guard let memory = unsafe sodium_malloc(count) else { throw .outOfMemory }
    // sodium_malloc ignores a failed mlock, so ask once more to learn of it.
    if count > 0, unsafe sodium_mlock(memory, count) != 0 {
      Self.mlockRefused.store(true, ordering: .relaxed)
    }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: count)
    self.count = count
    unsafe base.update(repeating: 0, count: count)
  }

  /// Copies bytes that are elsewhere; wiping those is the caller's affair.
  ///
  /// - Throws: As ``init(count:)``.
  public init(copying bytes: Span<UInt8>) throws(CryptoError) {
    try self.init(count: bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe base.update(from: start, count: source.count)
    }
  }

  /// Makes a secret that the closure fills in place, so that its bytes are never anywhere else.
  ///
  /// - Throws: As ``init(count:)``, and what the closure throws.
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

  deinit { unsafe sodium_free(base) }

  /// Lends the bytes for reading while the closure runs.
  ///
  /// - Throws: What the closure throws.
  public borrowing func withBytes<R: ~Copyable, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let bytes = unsafe Span(_unsafeStart: UnsafePointer(base), count: count)
    return try body(bytes)
  }

  /// Lends the bytes for writing while the closure runs.
  ///
  /// - Throws: What the closure throws.
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

  /// Copies some of the bytes into a secret of their own.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for a range that goes beyond ``count``, else as ``init(count:)``.
  public borrowing func copy(_ range: Range<Int>) throws(CryptoError) -> SecretBytes {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .invalidLength }
    let part = try SecretBytes(count: range.count)
    unsafe part.base.update(from: base + range.lowerBound, count: range.count)
    return part
  }

  /// Whether the system refused to lock some secret of this process, so that it could reach swap.
  public static var lockedMemoryWasRefused: Bool { mlockRefused.load(ordering: .relaxed) }

  /// Notes that the system refused to lock a secret in another process of this run.
  package static func noteLockRefusal() { mlockRefused.store(true, ordering: .relaxed) }

  /// Lends the address to the C calls of this module; the borrow keeps the memory alive while the closure runs.
  borrowing func withPointer<R, E: Error>(
    _ body: (UnsafeMutablePointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(base)
  }
}

/// A secret with several holders, or one in an array, where a noncopyable value cannot live.
///
/// The bytes are wiped when the last holder lets go.
public final class SharedSecret: Sendable {
  /// The secret itself.
  public let bytes: SecretBytes

  /// Takes the secret over.
  public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

/// Comparison whose time tells nothing about the bytes.
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

extension MutableSpan where Element == UInt8 {
  /// Copies bytes to a place in these, at the cost of one check.
  ///
  /// - Parameters:
  ///   - bytes: they fit: `start + bytes.count` is at most ``count``, which the caller has reckoned with.
  ///   - start: where the first of them goes, from 0.
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
