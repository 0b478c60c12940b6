/// Quotes names and types from a file or another program's schema for SQL.
enum SQLName {
  /// Quotes any name.
  ///
  /// U+0000 is impossible in SQL and removed.
  static func quoted(_ name: String) -> String {
    let safe = name.unicodeScalars.filter { $0 != "\0" }
    return "\"\(String(String.UnicodeScalarView(safe)).replacing("\"", with: "\"\""))\""
  }

  /// Returns a column's declared type, or an empty text if it has more than words, digits and parentheses.
  static func type(_ declared: String) -> String {
    let isPlain = declared.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: ","), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isPlain, declared.utf8.count <= 64, !mayConstrain(declared) else { return "" }
    return declared
  }

  private static let constraints: Set<Substring> = [
    "primary", "key", "unique", "not", "null", "check", "default", "references", "collate", "generated",
    "always", "as", "constraint", "stored", "virtual", "on",
  ]

  // A type's words end at a constraint, and a restored column must accept every value.
  private static func mayConstrain(_ declared: String) -> Bool {
    let words = declared.lowercased().split { !$0.isLetter }
    let opened = declared.utf8.count { $0 == UInt8(ascii: "(") }
    let closed = declared.utf8.count { $0 == UInt8(ascii: ")") }
    return opened != closed || opened > 1 || words.contains { constraints.contains($0) }
  }
}
