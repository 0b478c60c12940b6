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
