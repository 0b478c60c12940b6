internal import CSodium

/// Authenticated encryption of one message: XChaCha20-Poly1305 as in draft-irtf-cfrg-xchacha-03.
///
/// A nonce must never be reused with the same key for other bytes. Every call may run on any thread.
public enum XChaCha20Poly1305 {
  /// The length of a key.
  public static let keyByteCount = 32
  /// The length of a nonce.
  public static let nonceByteCount = 24
  /// The difference in length between a sealed message and its text.
  public static let tagByteCount = 16

  /// Seals a message and binds it to additional data, which is not stored.
  ///
  /// - Returns: Ciphertext, then tag.
  /// - Throws: ``CryptoError/invalidKey`` or ``CryptoError/invalidLength`` for another length of key or nonce.
  public static func seal(
    _ plaintext: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], additionalData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    var output: [UInt8] = []
    try seal(plaintext, key: key, nonce: nonce, additionalData: additionalData, appendingTo: &output)
    return output
  }

  /// Seals a message and appends ciphertext and tag to an array.
  ///
  /// Allocates only if the output must grow.
  ///
  /// - Throws: As ``seal(_:key:nonce:additionalData:)``; the output is then unchanged.
  public static func seal(
    _ plaintext: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], additionalData: [UInt8] = [],
    appendingTo output: inout [UInt8]
  ) throws(CryptoError) {
    try check(key: key, nonce: nonce)
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: plaintext.count + tagByteCount))
    unsafe output.withUnsafeMutableBufferPointer { buffer in
      unsafe key.withPointer { key in
        unsafe plaintext.withUnsafeBufferPointer { plaintext in
          guard let sealed = buffer.baseAddress else { return }
          // Documented to always return 0.
          _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
            sealed + start, nil, plaintext.baseAddress, UInt64(plaintext.count), additionalData,
            UInt64(additionalData.count), nil, nonce, key)
        }
      }
    }
  }

  /// Opens a sealed message that was bound to additional data.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` if the tag is missing or does not verify, and
  ///   ``CryptoError/invalidKey`` or ``CryptoError/invalidLength`` for another length of key or nonce.
  public static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], additionalData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    var output: [UInt8] = []
    try open(sealed, key: key, nonce: nonce, additionalData: additionalData, appendingTo: &output)
    return output
  }

  /// Opens a sealed message and appends the plaintext to an array.
  ///
  /// Allocates only if the output must grow.
  ///
  /// - Throws: As ``open(_:key:nonce:additionalData:)``; the output is then unchanged.
  public static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], additionalData: [UInt8] = [],
    appendingTo output: inout [UInt8]
  ) throws(CryptoError) {
    try check(key: key, nonce: nonce)
    guard sealed.count >= tagByteCount else { throw .notAuthentic }
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: sealed.count - tagByteCount))
    let status = unsafe output.withUnsafeMutableBufferPointer { buffer in
      // Without an address the plaintext is empty, and the call only verifies the tag.
      unsafe open(sealed, key, nonce, additionalData, into: buffer.baseAddress.map { unsafe $0 + start })
    }
    guard status == 0 else {
      output.removeLast(output.count - start)
      throw .notAuthentic
    }
  }

  /// Opens a message directly into a secret, so that its plaintext is never elsewhere.
  ///
  /// - Throws: As ``open(_:key:nonce:additionalData:)``, ``CryptoError/outOfMemory`` or
  ///   ``CryptoError/unavailable``.
  public static func openSecret(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], additionalData: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    try check(key: key, nonce: nonce)
    guard sealed.count >= tagByteCount else { throw .notAuthentic }
    let plaintext = try SecretBytes(count: sealed.count - tagByteCount)
    let status = unsafe plaintext.withPointer { unsafe open(sealed, key, nonce, additionalData, into: $0) }
    guard status == 0 else { throw .notAuthentic }
    return plaintext
  }

  private static func check(key: borrowing SecretBytes, nonce: [UInt8]) throws(CryptoError) {
    guard key.count == keyByteCount else { throw .invalidKey }
    guard nonce.count == nonceByteCount else { throw .invalidLength }
  }

  private static func open(
    _ sealed: Span<UInt8>, _ key: borrowing SecretBytes, _ nonce: [UInt8], _ additionalData: [UInt8],
    into plaintext: UnsafeMutablePointer<UInt8>?
  ) -> Int32 {
    unsafe key.withPointer { key in
      unsafe sealed.withUnsafeBufferPointer { sealed in
        guard let start = sealed.baseAddress else { return -1 }
        return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
          plaintext, nil, nil, start, UInt64(sealed.count), additionalData,
          UInt64(additionalData.count), nonce, key)
      }
    }
  }
}
