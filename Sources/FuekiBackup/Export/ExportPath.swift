/// A file's path in an export, made of an untrusted source and path.
///
/// Every component is a plain name, so that no path leaves the export. None is too long or too deep.
enum ExportPath {
  private static let maximumDepth = 32
  /// File systems take 255; the rest is for what tells equal names apart.
  private static let maximumNameByteCount = 200

  /// The names of the directories, and last that of the file.
  static func components(source: String, path: [UInt8]) -> [[UInt8]] {
    var names = path.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }.map(Array.init)
    if names.count >= maximumDepth {
      let rest = names[(maximumDepth - 1)...].joined(separator: [UInt8(ascii: "_")])
      names = Array(names[..<(maximumDepth - 1)]) + [Array(rest.prefix(maximumNameByteCount))]
    }
    if names.isEmpty { names = [Array("unnamed".utf8)] }
    return [plainName(Array(source.utf8))] + names.map(plainName)
  }

  private static func plainName(_ name: [UInt8]) -> [UInt8] {
    let plain = name.prefix(maximumNameByteCount).map { byte in
      byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
    }
    if plain.isEmpty { return Array("unnamed".utf8) }
    // "." and ".." are no names; longer runs of dots are.
    return plain.count <= 2 && plain.allSatisfy { $0 == UInt8(ascii: ".") } ? plain.map { _ in 0x5F } : plain
  }

  /// Another name for a file or directory whose own is taken.
  static func alternative(_ name: [UInt8], number: Int) -> [UInt8] { name + Array("~\(number)".utf8) }
}
