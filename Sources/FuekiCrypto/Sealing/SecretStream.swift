internal import CSodium

/// One message of libsodium's secretstream (XChaCha20-Poly1305), as in Core Lightning's files.
///
/// The file is a header followed by a single message.
public enum SecretStream {
  /// The length of a key.
  static let keyByteCount = 32
  /// The length of the header.
  public static let headerByteCount = 24
  /// The difference in length between a sealed message and its text.
  public static let overheadByteCount = 17

  /// Opens the message after a header.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` for a wrong key, altered bytes, or too few of them;
  ///   ``CryptoError/invalidKey`` for another length of key, or the errors of ``SecretBytes/init(count:)``.
  public static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    guard key.count == keyByteCount else { throw .invalidKey }
    guard sealed.count >= headerByteCount + overheadByteCount else { throw .notAuthentic }
    try Sodium.start()
    let text = try SecretBytes(count: sealed.count - headerByteCount - overheadByteCount)
    var state = crypto_secretstream_xchacha20poly1305_state()
    let isOpen = unsafe sealed.withUnsafeBufferPointer { sealed in
      guard let start = sealed.baseAddress else { return false }
      return unsafe key.withPointer { key in
        guard unsafe crypto_secretstream_xchacha20poly1305_init_pull(&state, start, key) == 0 else {
          return false
        }
        return unsafe text.withPointer { text in
          var (count, tag): (UInt64, UInt8) = (0, 0)
          return unsafe crypto_secretstream_xchacha20poly1305_pull(
            &state, text, &count, &tag, start + headerByteCount, UInt64(sealed.count - headerByteCount), nil,
            0)
            == 0
        }
      }
    }
    unsafe sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    guard isOpen else { throw .notAuthentic }
    return text
  }
}

/// Authenticated encryption of one message: XSalsa20-Poly1305, as in NaCl's `secretbox`.
///
/// Other programs' files have it. This one seals with ``XChaCha20Poly1305``.
public enum SecretBox {
  /// The length of a key.
  public static let keyByteCount = 32
  /// The length of a nonce.
  public static let nonceByteCount = 24
  /// The difference in length between a sealed message and its text.
  static let tagByteCount = 16

  /// Opens a message, tag and then ciphertext, directly into a secret.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` if the tag is missing or does not verify, ``CryptoError/invalidKey`` or
  ///   ``CryptoError/invalidLength`` for another length of key or nonce, ``CryptoError/outOfMemory`` or
  ///   ``CryptoError/unavailable``.
  public static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard key.count == keyByteCount else { throw .invalidKey }
    guard nonce.count == nonceByteCount else { throw .invalidLength }
    guard sealed.count >= tagByteCount else { throw .notAuthentic }
    let plaintext = try SecretBytes(count: sealed.count - tagByteCount)
    let status = unsafe plaintext.withPointer { unsafe open(sealed, key, nonce, into: $0) }
    guard status == 0 else { throw .notAuthentic }
    return plaintext
  }

  private static func open(
    _ sealed: Span<UInt8>, _ key: borrowing SecretBytes, _ nonce: [UInt8],
    into plaintext: UnsafeMutablePointer<UInt8>?
  ) -> Int32 {
    unsafe key.withPointer { key in
      unsafe sealed.withUnsafeBufferPointer { sealed in
        guard let start = sealed.baseAddress else { return -1 }
        return unsafe crypto_secretbox_open_easy(plaintext, start, UInt64(sealed.count), nonce, key)
      }
    }
  }
}
