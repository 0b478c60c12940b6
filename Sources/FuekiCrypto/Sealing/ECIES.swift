internal import COpenSSL

/// The public-key encryption that Electrum calls BIE1: secp256k1, AES-128-CBC, HMAC-SHA-256.
///
///     message = "BIE1" ‖ one-time public key, compressed (33) ‖ ciphertext ‖ code (32)
///     keys    = SHA-512(the compressed product of the private key and the one-time public key)
///             = vector (16) ‖ cipher's key (16) ‖ code's key (32)
///     code    = HMAC-SHA-256(code's key, all bytes before it)
public enum ECIES {
  /// The first four bytes.
  package static let magic = Array("BIE1".utf8)

  private static let pointByteCount = 33
  private static let codeByteCount = 32

  /// Derives a private key from a secret of any length, reduced modulo the order.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for a multiple of the order, or ``CryptoError/outOfMemory``.
  public static func key(reducing secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let number = try BigNumber(secret: secret)
    let order = try BigNumber(Curve.secp256k1.orderBytes.span)
    let rest = try BigNumber()
    let scratch = try ScratchNumbers()
    guard unsafe BN_nnmod(rest.pointer, number.pointer, order.pointer, scratch.pointer) == 1 else {
      throw .outOfMemory
    }
    let key = try rest.secretBytes(count: Curve.scalarByteCount)
    guard CurveScalar.isKey(key, on: .secp256k1) else { throw .invalidKey }
    return key
  }

  /// Decrypts a message.
  ///
  /// - Throws: ``CryptoError/invalidLength`` or ``CryptoError/invalidPoint`` for bytes that are not such a
  ///   message, ``CryptoError/notAuthentic`` for a wrong key or altered bytes.
  public static func open(
    _ message: Span<UInt8>, key: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let head = magic.count + pointByteCount
    guard message.count >= head + AESCipher.blockByteCount + codeByteCount else { throw .invalidLength }
    for (index, byte) in magic.enumerated() where message[index] != byte { throw .invalidLength }
    var point: [UInt8] = []
    for index in magic.count..<head { point.append(message[index]) }
    let shared = try WeierstrassPoint.product(of: point, and: key, on: .secp256k1)
    let keys = try shared.withBytes { (bytes) throws(CryptoError) in try SHA512.secretHash(bytes) }
    let vector = keys.withBytes { bytes in (0..<16).map { bytes[$0] } }
    let cipherKey = try keys.copy(16..<32)
    let codeKey = try keys.copy(32..<64)
    let code = try SecretBytes(count: codeByteCount)
    var authenticator = try HMACSHA256()
    codeKey.withBytes { authenticator.begin(key: $0) }
    authenticator.update(message.extracting(droppingLast: codeByteCount))
    authenticator.finish(into: code, at: 0)
    let declared = message.extracting(last: codeByteCount)
    guard code.withBytes({ ConstantTime.areEqual($0, declared) }) else { throw .notAuthentic }
    return try AESCipher.decryptCBC(
      message.extracting(head..<message.count - codeByteCount), key: cipherKey, vector: vector)
  }
}
