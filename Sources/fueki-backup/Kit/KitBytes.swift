internal import FuekiCrypto

/// A page's bytes, in memory that is wiped, for a passphrase may be among them: it is never a String.
enum KitBytes {
  /// The page with the secret between its parts.
  ///
  /// - Throws: Exit status 64 where paper cannot show a character of the passphrase.
  static func of(_ parts: [String], secret: SharedSecret?, isHTML: Bool) throws -> SecretBytes {
    let room = parts.reduce(0) { $0 + $1.utf8.count }
    guard let secret, parts.count == 2 else {
      var text = try SecretText(capacity: room)
      for part in parts { text.append(part) }
      return try text.finish()
    }
    // No byte becomes more than six: &quot;
    var text = try SecretText(capacity: room + 6 * secret.bytes.count)
    text.append(parts[0])
    let isPrintable = secret.bytes.withBytes { bytes in
      for index in bytes.indices {
        guard bytes[index] >= 0x20, bytes[index] != 0x7F else { return false }
        if isHTML, let entity = entity(bytes[index]) {
          text.append(entity)
        } else {
          text.append(bytes.extracting(index..<index + 1))
        }
      }
      return true
    }
    guard isPrintable else {
      throw CommandError.usage("the passphrase has a character that paper cannot show, such as a tab")
    }
    text.append(parts[1])
    return try text.finish()
  }

  private static func entity(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&apos;"
    default: nil
    }
  }
}
