internal import COpenSSL
internal import Glibc

/// Incremental SHA-256 by OpenSSL, which uses the processor's SHA instructions.
///
/// Safe because the context is owned by one value and never leaves it.
@safe public struct SHA256: ~Copyable {
  private let context: OpaquePointer

  /// Starts a hash.
  public init() {
    unsafe context = Self.makeContext()
    unsafe Self.begin(context)
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds the next bytes.
  public mutating func update(_ bytes: Span<UInt8>) { unsafe Self.update(context, bytes) }

  /// Adds the next bytes.
  public mutating func update(_ bytes: [UInt8]) { unsafe Self.update(context, bytes.span) }

  /// Finishes the hash.
  public consuming func finalize() -> Digest { unsafe Self.finish(context) }

  /// Hashes a complete message, without allocating after a thread's first call.
  public static func hash(_ bytes: Span<UInt8>) -> Digest {
    let context = unsafe threadContext()
    unsafe begin(context)
    unsafe update(context, bytes)
    return unsafe finish(context)
  }

  /// Hashes two pieces in sequence, such as a label and its content, without joining them.
  public static func hash(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Digest {
    let context = unsafe threadContext()
    unsafe begin(context)
    unsafe update(context, first)
    unsafe update(context, second)
    return unsafe finish(context)
  }

  /// Hashes the pieces in sequence without joining them.
  public static func hash(_ parts: [UInt8]...) -> Digest {
    let context = unsafe threadContext()
    unsafe begin(context)
    for part in parts { unsafe update(context, part.span) }
    return unsafe finish(context)
  }

  /// Hashes bytes whose digest is itself secret, such as a key file's, into memory that is wiped.
  ///
  /// - Throws: As ``SecretBytes/init(count:)``.
  public static func secretHash(_ bytes: Span<UInt8>) throws(CryptoError) -> SecretBytes {
    let digest = try SecretBytes(count: Digest.byteCount)
    let context = unsafe threadContext()
    unsafe begin(context)
    unsafe update(context, bytes)
    let status = unsafe digest.withPointer { unsafe EVP_DigestFinal_ex(context, $0, nil) }
    precondition(status == 1, "OpenSSL could not hash")
    return digest
  }
}

extension SHA256 {
  // Fetching the algorithm costs more than hashing a short text. It is immutable and its reference count is
  // atomic, so all threads may share it.
  private nonisolated(unsafe) static let algorithm = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)

  private static let threadKey: pthread_key_t? = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key) { context in
      unsafe EVP_MD_CTX_free(OpaquePointer(context))
    }
    return status == 0 ? key : nil
  }()

  /// The calling thread's own context, which lives as long as the thread.
  private static func threadContext() -> OpaquePointer {
    guard let threadKey else { preconditionFailure("no thread-local storage is left") }
    if let known = unsafe pthread_getspecific(threadKey) { return OpaquePointer(known) }
    let context = unsafe makeContext()
    let status = unsafe pthread_setspecific(threadKey, UnsafeRawPointer(context))
    precondition(status == 0, "no memory for a thread's hash context")
    return unsafe context
  }

  private static func makeContext() -> OpaquePointer {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory for a hash context") }
    return unsafe context
  }

  // The three calls below fail only without memory or without SHA-256, and no other work can continue then.
  private static func begin(_ context: OpaquePointer) {
    let status = unsafe EVP_DigestInit_ex2(context, algorithm, nil)
    precondition(status == 1, "OpenSSL offers no SHA-256")
  }

  private static func update(_ context: OpaquePointer, _ bytes: Span<UInt8>) {
    let status = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
    }
    precondition(status == 1, "OpenSSL could not hash")
  }

  private static func finish(_ context: OpaquePointer) -> Digest {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let status = unsafe withUnsafeMutableBytes(of: &words) { buffer in
      unsafe EVP_DigestFinal_ex(context, buffer.bindMemory(to: UInt8.self).baseAddress, nil)
    }
    precondition(status == 1, "OpenSSL could not hash")
    return Digest(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
  }
}
