package import FuekiCrypto

/// Base58, Bitcoin's encoding of bytes in 58 characters.
public enum Base58 {
  /// The limit of characters when decoding, because the work grows with their square.
  static let characterCountLimit = 4096

  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xff, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Encodes bytes.
  public static func encode(_ bytes: [UInt8]) -> String {
    let zeros = bytes.prefix { $0 == 0 }.count
    let digits = converted(bytes.dropFirst(zeros), from: 256, to: 58)
    let text = [UInt8](repeating: alphabet[0], count: zeros) + digits.map { alphabet[Int($0)] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text.
  ///
  /// - Throws: ``AddressProblem/invalidCharacter``, or ``AddressProblem/wrongLength`` beyond the limit.
  public static func decode(_ text: String) throws(AddressProblem) -> [UInt8] {
    let characters = Array(text.utf8)
    guard characters.count <= characterCountLimit else { throw .wrongLength }
    let digits = characters.map { values[Int($0)] }
    guard !digits.contains(0xff) else { throw .invalidCharacter }
    let zeros = digits.prefix { $0 == 0 }.count
    return [UInt8](repeating: 0, count: zeros) + converted(digits.dropFirst(zeros), from: 58, to: 256)
  }

  private static func converted(_ digits: ArraySlice<UInt8>, from base: Int, to newBase: Int) -> [UInt8] {
    // Lowest digit first. Each digit of one base adds at most about one and a half digits of the other.
    var places: [UInt8] = []
    for digit in digits {
      var carry = Int(digit)
      for i in places.indices {
        carry += Int(places[i]) * base
        places[i] = UInt8(carry % newBase)
        carry /= newBase
      }
      while carry > 0 {
        places.append(UInt8(carry % newBase))
        carry /= newBase
      }
    }
    return places.reversed()
  }
}

/// Base58 with a checksum: the first four bytes of a double SHA-256 at the end.
public enum Base58Check {
  /// Encodes bytes with their checksum.
  public static func encode(_ payload: [UInt8]) -> String {
    Base58.encode(payload + checksum(payload))
  }

  /// Decodes a text and verifies its checksum.
  ///
  /// - Throws: ``AddressProblem/invalidCharacter``, ``AddressProblem/wrongLength`` or
  ///   ``AddressProblem/wrongChecksum``.
  public static func decode(_ text: String) throws(AddressProblem) -> [UInt8] {
    let bytes = try Base58.decode(text)
    guard bytes.count >= 4 else { throw .wrongLength }
    let payload = Array(bytes.dropLast(4))
    guard checksum(payload).elementsEqual(bytes.suffix(4)) else { throw .wrongChecksum }
    return payload
  }

  private static func checksum(_ payload: [UInt8]) -> ArraySlice<UInt8> {
    SHA256.hash(SHA256.hash(payload.span).bytes.span).bytes.prefix(4)
  }
}

/// Base58Check of secrets, which must never become a String.
package enum SecretBase58Check {
  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// Decodes a text of `byteCount` bytes and verifies its checksum.
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
