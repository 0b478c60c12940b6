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

/// SHA-512 of a complete message.
public enum SHA512 {
  /// The length of a digest.
  public static let byteCount = 64

  /// Hashes bytes whose digest may itself be secret.
  ///
  /// - Throws: The errors of ``SecretBytes/init(count:)``, or ``CryptoError/unavailable``.
  public static func secretHash(_ bytes: Span<UInt8>) throws(CryptoError) -> SecretBytes {
    let digest = try SecretBytes(count: byteCount)
    let status = unsafe digest.withPointer { digest in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        // An empty text has no address, but only its length counts.
        unsafe EVP_Digest(bytes.baseAddress, bytes.count, digest, nil, EVP_sha512(), nil)
      }
    }
    guard status == 1 else { throw .unavailable }
    return digest
  }

  /// Hashes bytes, then the digest repeatedly: `rounds` hashes in all, at least one.
  ///
  /// - Throws: As ``secretHash(_:)``.
  public static func secretHash(_ bytes: Span<UInt8>, rounds: Int) throws(CryptoError) -> SecretBytes {
    let digest = try secretHash(bytes)
    // In place: protected memory for each round would cost more than the hash.
    let status = unsafe digest.withPointer { digest in
      var status: Int32 = 1
      for _ in stride(from: 1, to: rounds, by: 1) where status == 1 {
        status = unsafe EVP_Digest(digest, byteCount, digest, nil, EVP_sha512(), nil)
      }
      return status
    }
    guard status == 1 else { throw .unavailable }
    return digest
  }
}

/// RIPEMD-160 of SHA-256, from which Bitcoin derives a key's addresses.
public enum Hash160 {
  /// Hashes bytes to 20 bytes.
  ///
  /// - Returns: the hash.
  /// - Throws: ``CryptoError/unavailable`` if the system's OpenSSL omits RIPEMD-160.
  public static func hash(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard let algorithm = unsafe EVP_MD_fetch(nil, "RIPEMD160", nil) else {
      ERR_clear_error()
      throw .unavailable
    }
    defer { unsafe EVP_MD_free(algorithm) }
    let inner = SHA256.hash(bytes.span).bytes
    var hash = [UInt8](repeating: 0, count: 20)
    let status = unsafe EVP_Digest(inner, inner.count, &hash, nil, algorithm, nil)
    guard status == 1 else { throw .unavailable }
    return hash
  }
}
