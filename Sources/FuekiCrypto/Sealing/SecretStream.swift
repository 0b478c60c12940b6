internal import CSodium

/// One message of libsodium's secretstream (XChaCha20-Poly1305), as in Core Lightning's files.
///
/// The file is a header followed by a single message.
public enum SecretStream {
  /// The length of a key.
  public static let keyByteCount = 32
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
