package import FuekiCrypto

/// A private key of secp256k1 in one of the spellings that wallets keep: 32 bytes, 64 hexadecimal digits with or without
/// `0x`, or Bitcoin's wallet import format.
package enum SpelledKey {
  /// The key's 32 bytes; nil for any other spelling.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  package static func scalar(of secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    switch secret.count {
    case Curve.scalarByteCount: return try secret.copy(0..<Curve.scalarByteCount)
    case 64: return try hexadecimal(secret, from: 0)
    case 66:
      let hasPrefix = secret.withBytes { $0[0] == 0x30 && $0[1] | 0x20 == 0x78 }
      guard hasPrefix else { return nil }
      return try hexadecimal(secret, from: 2)
    case 51, 52: return try walletImportFormat(secret)
    default: return nil
    }
  }

  private static func hexadecimal(
    _ digits: borrowing SecretBytes, from start: Int
  ) throws(CryptoError) -> SecretBytes? {
    var key = try SecretBytes(count: Curve.scalarByteCount)
    let areDigits = digits.withBytes { digits in
      key.withMutableBytes { key in
        for place in 0..<Curve.scalarByteCount {
          guard let high = value(digits[start + 2 * place]), let low = value(digits[start + 2 * place + 1])
          else { return false }
          key[place] = high << 4 | low
        }
        return true
      }
    }
    guard areDigits else { return nil }
    return key
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// A version byte, the key, a byte 1 where the public key's short encoding is meant, and a checksum.
  private static func walletImportFormat(
    _ text: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes? {
    let count = text.count == 52 ? 38 : 37
    var number = try SecretBytes(count: count)
    let fits = text.withBytes { text in
      number.withMutableBytes { number in
        for place in text.indices {
          guard var carry = alphabet.firstIndex(of: text[place]) else { return false }
          for index in (0..<count).reversed() {
            carry += Int(number[index]) * 58
            number[index] = UInt8(carry & 0xff)
            carry >>= 8
          }
          guard carry == 0 else { return false }
        }
        return true
      }
    }
    guard fits else { return nil }
    let payload = count - 4
    let isWhole = number.withBytes { bytes in
      let inner = SHA256.hash(bytes.extracting(0..<payload)).bytes
      let checksum = SHA256.hash(inner.span).bytes
      return (0..<4).allSatisfy { bytes[payload + $0] == checksum[$0] }
        && (count == 37 || bytes[payload - 1] == 1)
    }
    guard isWhole else { return nil }
    return try number.copy(1..<1 + Curve.scalarByteCount)
  }
}
