/// Derivation of keys from a secret of high entropy, HKDF with SHA-256.
///
/// See RFC 5869. libsodium 1.0.18 has the HMAC but not the HKDF.
public enum HKDF {
  private static let hashByteCount = Digest.byteCount

  /// Extracts a pseudorandom key of 32 bytes from the secret.
  ///
  /// An empty salt means zeros.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func extract(salt: [UInt8], ikm: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let key = try SecretBytes(count: hashByteCount)
    var state = try HMACSHA256()
    state.begin(key: salt.span)
    ikm.withBytes { state.update($0) }
    state.finish(into: key, at: 0)
    return key
  }

  /// Derives up to 8160 bytes for the purpose named by `info`.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for a `prk` under 32 bytes or a count outside 0…8160,
  ///   ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func expand(
    prk: borrowing SecretBytes, info: [UInt8], count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard prk.count >= hashByteCount, (0...255 * hashByteCount).contains(count) else { throw .invalidLength }
    let blockCount = (count + hashByteCount - 1) / hashByteCount
    let blocks = try SecretBytes(count: blockCount * hashByteCount)
    var state = try HMACSHA256()
    for index in 0..<blockCount {
      prk.withBytes { state.begin(key: $0) }
      if index > 0 {
        let previous = (index - 1) * hashByteCount..<index * hashByteCount
        blocks.withBytes { state.update($0.extracting(previous)) }
      }
      state.update(info.span)
      state.update([UInt8(index + 1)].span)
      state.finish(into: blocks, at: index * hashByteCount)
    }
    return count == blocks.count ? blocks : try blocks.copy(0..<count)
  }
}
