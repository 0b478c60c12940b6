internal import CSodium

/// Authenticated encryption of one message: XSalsa20-Poly1305, as in NaCl's `secretbox`.
///
/// Other programs' files have it. This one seals with ``XChaCha20Poly1305``.
public enum SecretBox {
  /// The length of a key.
  public static let keyByteCount = 32
  /// The length of a nonce.
  public static let nonceByteCount = 24
  /// The difference in length between a sealed message and its text.
  public static let tagByteCount = 16

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
