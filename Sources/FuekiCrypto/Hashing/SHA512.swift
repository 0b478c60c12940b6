internal import COpenSSL

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
