internal import FuekiCrypto

/// Base58, Bitcoin's encoding of bytes in 58 characters.
public enum Base58 {
  /// The limit of characters when decoding, because the work grows with their square.
  public static let characterCountLimit = 4096

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
