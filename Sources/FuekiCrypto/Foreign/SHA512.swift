internal import COpenSSL

/// SHA-512 of bytes that are all there.
public enum SHA512 {
  /// The length of a digest.
  public static let byteCount = 64

  /// Hashes bytes whose digest may be a secret itself.
  ///
  /// - Throws: What making a ``SecretBytes`` throws, or ``CryptoError/unavailable``.
  public static func secretHash(_ bytes: Span<UInt8>) throws(CryptoError) -> SecretBytes {
    let digest = try SecretBytes(count: byteCount)
    let status = unsafe digest.withPointer { digest in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        // An empty text has no address, and its length is what is looked at.
        unsafe EVP_Digest(bytes.baseAddress, bytes.count, digest, nil, EVP_sha512(), nil)
      }
    }
    guard status == 1 else { throw .unavailable }
    return digest
  }
}
