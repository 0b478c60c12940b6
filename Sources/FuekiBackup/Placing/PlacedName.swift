internal import FuekiCrypto

/// Names with something at their end that file systems still take.
enum PlacedName {
  /// The most bytes that a name may have.
  static let limit = 255

  /// A name with an ending; a long one is cut, and told from others that begin alike by a digest of the whole.
  static func name(_ name: [UInt8], ending: String) -> [UInt8] {
    let end = Array(ending.utf8)
    guard name.count + end.count > limit else { return name + end }
    let mark = Array("~\(SHA256.hash(name).hex.prefix(8))".utf8)
    var count = limit - end.count - mark.count
    // Not within a character.
    while count > 0, name[count] & 0xC0 == 0x80 { count -= 1 }
    return name[..<count] + mark + end
  }
}
