internal import COpenSSL

/// AES for other programs' files.
///
/// Archives use ``XChaCha20Poly1305``.
public enum AESCipher {
  /// The length of a block, and of the initialisation vector in all modes but GCM.
  public static let blockByteCount = 16
  /// The usual length of GCM's nonce.
  public static let gcmNonceByteCount = 12
  /// The lengths of GCM's nonces in use.
  private static let gcmNonceByteCounts = [gcmNonceByteCount, blockByteCount]
  /// The length of GCM's tag.
  public static let gcmTagByteCount = 16

  /// Opens AES-256-GCM: ciphertext, then tag.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` if the tag does not verify, ``CryptoError/invalidKey`` or
  ///   ``CryptoError/invalidLength`` for another length of key or nonce, or the errors of
  ///   ``SecretBytes/init(count:)``.
  public static func openGCM(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard key.count == 32 else { throw .invalidKey }
    guard gcmNonceByteCounts.contains(nonce.count) else { throw .invalidLength }
    guard sealed.count >= gcmTagByteCount else { throw .notAuthentic }
    let text = sealed.extracting(droppingLast: gcmTagByteCount)
    let tag = sealed.extracting(last: gcmTagByteCount)
    return try unsafe decrypt(text, EVP_aes_256_gcm(), key: key, vector: nonce, tag: tag)
  }

  /// Seals with AES-256-GCM: ciphertext, then tag.
  ///
  /// A nonce must never be reused with a key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` or ``CryptoError/invalidLength`` for another length of key or
  ///   nonce, or the errors of ``SecretBytes/init(count:)``.
  public static func sealGCM(
    _ text: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == 32 else { throw .invalidKey }
    guard nonce.count == gcmNonceByteCount, let length = Int32(exactly: text.count) else {
      throw .invalidLength
    }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .outOfMemory }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: text.count)
    var tag = [UInt8](repeating: 0, count: gcmTagByteCount)
    var written: Int32 = 0
    let isDone = unsafe key.withPointer { key in
      unsafe EVP_EncryptInit_ex2(context, EVP_aes_256_gcm(), key, nonce, nil) == 1
        && text.withUnsafeBufferPointer { text in
          guard let start = text.baseAddress else { return true }
          return unsafe EVP_EncryptUpdate(context, &output, &written, start, length) == 1
        }
        && EVP_EncryptFinal_ex(context, &tag, &written) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(gcmTagByteCount), &tag) == 1
    }
    guard isDone else {
      ERR_clear_error()
      throw .unavailable
    }
    return output + tag
  }

  /// Encrypts or decrypts in counter mode with AES-128 or AES-256, by the key's length.
  ///
  /// - Throws: ``CryptoError/invalidKey`` or ``CryptoError/invalidLength`` for another length of key or
  ///   vector, or the errors of ``SecretBytes/init(count:)``.
  public static func applyCTR(
    _ text: Span<UInt8>, key: borrowing SecretBytes, vector: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard vector.count == blockByteCount else { throw .invalidLength }
    switch key.count {
    case 16: return try unsafe decrypt(text, EVP_aes_128_ctr(), key: key, vector: vector, tag: nil)
    case 32: return try unsafe decrypt(text, EVP_aes_256_ctr(), key: key, vector: vector, tag: nil)
    default: throw .invalidKey
    }
  }

  /// Decrypts CBC with AES-128 or AES-256, by the key's length, and removes PKCS #7 padding.
  ///
  /// The text is not authenticated: with a wrong key, one text in 256 appears valid.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` for invalid padding, else as ``applyCTR(_:key:vector:)``.
  public static func decryptCBC(
    _ text: Span<UInt8>, key: borrowing SecretBytes, vector: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard vector.count == blockByteCount else { throw .invalidLength }
    switch key.count {
    case 16: return try unsafe decrypt(text, EVP_aes_128_cbc(), key: key, vector: vector, tag: nil)
    case 32: return try unsafe decrypt(text, EVP_aes_256_cbc(), key: key, vector: vector, tag: nil)
    default: throw .invalidKey
    }
  }

  /// Decrypts blocks one by one with AES-256 (ECB), as BIP-38 has it.
  ///
  /// - Throws: ``CryptoError/invalidKey`` or ``CryptoError/invalidLength`` for another length of key or text, or
  ///   the errors of ``SecretBytes/init(count:)``.
  public static func decryptBlocks(
    _ text: Span<UInt8>, key: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    guard text.count.isMultiple(of: blockByteCount) else { throw .invalidLength }
    guard key.count == 32 else { throw .invalidKey }
    return try unsafe decrypt(
      text, EVP_aes_256_ecb(), key: key, vector: [], tag: nil, isPadded: false)
  }

  private static func decrypt(
    _ text: Span<UInt8>, _ cipher: OpaquePointer?, key: borrowing SecretBytes, vector: [UInt8],
    tag: Span<UInt8>?, isPadded: Bool = true
  ) throws(CryptoError) -> SecretBytes {
    guard let length = Int32(exactly: text.count) else { throw .invalidLength }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .outOfMemory }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    // Never empty, because OpenSSL treats a missing output as a request to authenticate additional data.
    let output = try SecretBytes(count: text.count + blockByteCount)
    var tagBytes: [UInt8] = []
    if let tag { for index in tag.indices { tagBytes.append(tag[index]) } }
    var written: Int32 = 0
    var last: Int32 = 0
    let isStarted = unsafe key.withPointer { key in
      // GCM's nonce length must be set before the nonce.
      unsafe EVP_DecryptInit_ex2(context, cipher, nil, nil, nil) == 1
        && (tagBytes.isEmpty
          || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(vector.count), nil) == 1)
        && EVP_DecryptInit_ex2(context, nil, key, vector, nil) == 1
        && EVP_CIPHER_CTX_set_padding(context, isPadded ? 1 : 0) == 1
    }
    guard isStarted else { throw .unavailable }
    let isRight = unsafe output.withPointer { output in
      unsafe text.withUnsafeBufferPointer { text in
        if let start = text.baseAddress {
          guard unsafe EVP_DecryptUpdate(context, output, &written, start, length) == 1 else { return false }
        }
        if !tagBytes.isEmpty {
          guard
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagBytes.count), &tagBytes) == 1
          else { return false }
        }
        return unsafe EVP_DecryptFinal_ex(context, output + Int(written), &last) == 1
      }
    }
    guard isRight else {
      ERR_clear_error()
      throw .notAuthentic
    }
    return try output.copy(0..<Int(written) + Int(last))
  }
}

/// The encryption of a multisig setup in transit between coordinator and signers; see BIP-129, "Encryption".
///
///     MAC 32 ‖ ciphertext        key: PBKDF2-HMAC-SHA512 of "No SPOF" with the token as salt; AES-256-CTR from the MAC
public enum BSMSCipher {
  /// The lengths of a session's token.
  static let tokenByteCounts = [8, 16]
  /// The length of the MAC before the ciphertext.
  public static let macByteCount = 32

  private static let rounds = 2048

  /// Opens a record.
  ///
  /// - Returns: nil if the token is wrong or the record is damaged, which cannot be distinguished.
  /// - Throws: ``CryptoError/invalidLength`` for a token of another length, or the errors of
  ///   ``SecretBytes/init(count:)``.
  public static func open(_ record: Span<UInt8>, token: [UInt8]) throws(CryptoError) -> SecretBytes? {
    guard tokenByteCounts.contains(token.count) else { throw .invalidLength }
    guard record.count > macByteCount else { return nil }
    let key = try PBKDF2.derive(
      from: try SecretBytes(copying: Array("No SPOF".utf8).span), salt: try SecretBytes(copying: token.span),
      iterations: rounds, count: 32, hash: .sha512)
    let mac = (0..<macByteCount).map { record[$0] }
    let text = try AESCipher.applyCTR(
      record.extracting(droppingFirst: macByteCount), key: key, vector: Array(mac[..<16]))
    var code = try HMACSHA256()
    let authenticator = try key.withBytes { key throws(CryptoError) in try SHA256.secretHash(key) }
    authenticator.withBytes { code.begin(key: $0) }
    code.update(Array(Hex.encode(token).utf8).span)
    text.withBytes { code.update($0) }
    let found = try SecretBytes(count: macByteCount)
    code.finish(into: found, at: 0)
    guard found.withBytes({ ConstantTime.areEqual($0, mac.span) }) else { return nil }
    return text
  }
}
