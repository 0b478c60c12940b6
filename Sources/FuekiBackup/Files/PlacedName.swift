internal import FuekiCrypto

/// Names with something at their end that file systems still take, and names that every file system takes.
enum PlacedName {
  /// The most bytes that a name may have.
  static let limit = 255
  /// The most bytes of a name that a safe one keeps: encrypted file systems take 143 in all.
  private static let safeLimit = 96

  /// A name with an ending; a long one is cut, and told from others that begin alike by a digest of the whole.
  static func name(_ name: [UInt8], ending: String) -> [UInt8] {
    let end = Array(ending.utf8)
    guard name.count + end.count > limit else { return name + end }
    let mark = mark(name)
    return beginning(name, limit - end.count - mark.count) + mark + end
  }

  /// The name of a held file's page: the first, or the one of a number where other files have those before it.
  static func page(of held: [UInt8], number: Int) -> [UInt8] {
    name(held, ending: number == 1 ? ".txt" : "-\(number).txt")
  }

  /// The names under which a file goes where its own is refused, the most similar first.
  ///
  /// Each has a digest, so that two names never become one.
  ///
  /// - Parameters:
  ///   - name: the name that is refused.
  ///   - whole: what the digest is of: the file's place, where two folders may become one, too; nil for the name.
  /// - Returns: at least one name.
  static func safe(_ name: [UInt8], of whole: [UInt8]? = nil) -> [[UInt8]] {
    // A log is found only next to its database, under that one's name.
    if let database = PassingFiles.database(ofLog: name) {
      var place = whole
      if let whole, let owner = PassingFiles.database(ofLog: whole) { place = owner }
      let ending = Array(name.dropFirst(database.count))
      return safe(database, of: place).map { $0 + ending }
    }
    let mark = mark(whole ?? name)
    let names = [true, false].map { portable(name, keepsLetters: $0, mark) }
    return names[0] == names[1] ? [names[0]] : names
  }

  /// A name as file systems that ignore the case of letters compare it.
  static func folded(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self).lowercased() }

  /// Whether all common file systems keep a name as it is.
  static func isPortable(_ name: [UInt8]) -> Bool {
    let text = String(decoding: name, as: UTF8.self)
    guard text.utf8.elementsEqual(name), name.last != UInt8(ascii: "."), name.last != UInt8(ascii: " "),
      name.first != UInt8(ascii: " "), name.count <= 143
    else { return false }
    let stem = text.prefix { $0 != "." }.uppercased()
    return !reserved.contains(stem) && !text.unicodeScalars.contains(where: isForbidden)
  }

  /// The names of devices, which Windows and its file systems keep for themselves.
  private static let reserved: Set<String> = Set(
    ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] })

  private static func isForbidden(_ character: Unicode.Scalar) -> Bool {
    character.value < 0x20 || character.value == 0x7F || "<>:\"/\\|?*".unicodeScalars.contains(character)
      || character == "\u{FFFD}"
  }

  private static func portable(_ name: [UInt8], keepsLetters: Bool, _ mark: [UInt8]) -> [UInt8] {
    let (stem, end) = split(name)
    var text = ""
    // Bytes that are no characters become U+FFFD here.
    for character in String(decoding: stem, as: UTF8.self).unicodeScalars {
      let isKept = !isForbidden(character) && (keepsLetters || character.isASCII)
      text.unicodeScalars.append(isKept ? character : "_")
    }
    if text.hasPrefix(" ") { text = "_" + text.dropFirst() }
    return beginning(Array(text.utf8), safeLimit) + mark + end
  }

  /// Returns a name without its ending, and the ending if it is a short one of plain letters.
  private static func split(_ name: [UInt8]) -> (stem: ArraySlice<UInt8>, end: ArraySlice<UInt8>) {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, 2...12 ~= name.count - dot,
      name[(dot + 1)...].allSatisfy(isPlain)
    else { return (name[...], []) }
    return (name[..<dot], name[dot...])
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func mark(_ name: [UInt8]) -> [UInt8] { Array("~\(SHA256.hash(name).hex.prefix(8))".utf8) }

  private static func beginning(_ name: [UInt8], _ limit: Int) -> [UInt8] {
    guard name.count > limit else { return name }
    var count = limit
    // Not within a character.
    while count > 0, name[count] & 0xC0 == 0x80 { count -= 1 }
    return Array(name[..<count])
  }
}
