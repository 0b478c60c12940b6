internal import FuekiCrypto
internal import FuekiSQLite
internal import FuekiWallet
internal import GRDB

/// A text that a search looks for, without regard to case and Latin accents.
///
/// Both sides are folded: compatibility decomposition (Unicode NFKD), lower case, no combining accents of U+0300 to
/// U+036F. Japanese stays distinct where its marks make other sounds.
struct SearchedText {
  private let folded: [UInt8]
  private let isASCII: Bool

  /// Folds a text.
  init(_ text: String) {
    folded = Self.fold(text)
    isASCII = folded.allSatisfy { $0 < 0x80 }
  }

  /// Returns whether it is a part of a text of UTF-8.
  func isIn(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where text[index] >= 0x80 {
      return isPart(of: Self.fold(String(decoding: text.copied(), as: UTF8.self)).span)
    }
    return isASCII && isPart(of: text)
  }

  /// Most texts are ASCII, which needs no copy: a letter differs from its capital in one bit.
  private func isPart(of text: Span<UInt8>) -> Bool {
    guard folded.count <= text.count else { return false }
    var start = 0
    next: while start <= text.count - folded.count {
      for index in folded.indices where Self.small(text[start + index]) != folded[index] {
        start += 1
        continue next
      }
      return true
    }
    return false
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  private static func fold(_ text: String) -> [UInt8] {
    let marks: ClosedRange<Unicode.Scalar> = "\u{300}"..."\u{36F}"
    var folded = String.UnicodeScalarView()
    for scalar in text.compatibilityDecomposition.lowercased().unicodeScalars
    where !marks.contains(scalar) { folded.append(scalar) }
    return Array(String(folded).utf8)
  }
}

extension RecordShelves {
  /// Returns the records that have a text in a searched field, the newest first, at most `limit`.
  ///
  /// Only the searched fields of the others are read.
  func search(_ text: SearchedText, limit: Int, in database: Database) throws -> [Record] {
    let fields = Record.kind.fields.filter { $0.lookUp == .words }
    guard !fields.isEmpty, limit > 0 else { return [] }
    let shelf = RecordShelf<Record>()
    let name = shelf.table.name.rawValue
    let time = Record.kind.fields.first { $0.lookUp == .time }?.column.map(SQLName.quoted) ?? "NULL"
    let columns = fields.compactMap(\.column).map(SQLName.quoted)
    let statement = try database.cachedStatement(
      sql: "SELECT row_id, \(time), \(columns.joined(separator: ", ")) FROM \(name)")
    var found: [(time: Int64, row: Int64)] = []
    try PreparedRows.forEach(of: statement) { row in
      let isFound = columns.indices.contains { column in
        row.withBytes(column + 2) { bytes in
          guard let bytes else { return false }
          return text.isIn(bytes)
        }
      }
      if isFound { found.append((row.integer(1) ?? .min, row.integer(0) ?? 0)) }
    }
    return try found.sorted { ($0.time, $0.row) > ($1.time, $1.row) }.prefix(limit).flatMap { place in
      try shelf.fetch("WHERE \(name).row_id = ?", [place.row], in: database)
    }
  }
}
