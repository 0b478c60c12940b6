package import FuekiCrypto

/// Base58Check of secrets, which must never become a String.
package enum SecretBase58Check {
  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// Decodes a text of `byteCount` bytes and verifies its checksum.
  ///
  /// - Throws: ``ExtendedKeyError/notAKey``, ``ExtendedKeyError/wrongChecksum`` or
  ///   ``ExtendedKeyError/crypto(_:)``.
  package static func decode(
    _ text: borrowing SecretBytes, byteCount: Int
  ) throws(ExtendedKeyError) -> SecretBytes {
    let total = byteCount + 4
    // 58 is less than 2⁶: a longer text encodes more bytes, or starts with too many zeros.
    guard text.count * 5 <= total * 8, text.count * 6 >= total * 8 else { throw .notAKey }
    do throws(CryptoError) {
      var bytes = try SecretBytes(count: total)
      let isWhole = bytes.withMutableBytes { bytes in
        text.withBytes { text in fill(&bytes, from: text) }
      }
      guard isWhole else { throw CryptoError.invalidLength }
      let payload = try bytes.copy(0..<byteCount)
      let inner = try payload.withBytes { (payload) throws(CryptoError) in try SHA256.secretHash(payload) }
      let outer = try inner.withBytes { (inner) throws(CryptoError) in try SHA256.secretHash(inner) }
      let expected = try outer.copy(0..<4)
      let found = try bytes.copy(byteCount..<total)
      guard expected.isEqualInConstantTime(to: found) else { throw CryptoError.notAuthentic }
      return payload
    } catch {
      switch error {
      case .invalidLength: throw .notAKey
      case .notAuthentic: throw .wrongChecksum
      default: throw .crypto(error)
      }
    }
  }

  /// Decodes the text into the bytes; false if it is not Base58 or does not fit.
  private static func fill(_ bytes: inout MutableSpan<UInt8>, from text: Span<UInt8>) -> Bool {
    for place in text.indices {
      guard let digit = alphabet.firstIndex(of: text[place]) else { return false }
      var carry = digit
      for index in bytes.indices.reversed() {
        carry += Int(bytes[index]) * 58
        bytes[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      guard carry == 0 else { return false }
    }
    return true
  }
}
