/// The rows of a CSV file; see RFC 4180.
///
/// The separator is a comma, a semicolon or a tab, whichever is most frequent outside quotes in the first
/// row. Lines may end with CR, LF or both.
struct CSVTable {
  private static let quote = UInt8(ascii: "\"")
  private static let columnLimit = ImportLimits.columnsOfTable

  private(set) var rows: [[String]] = []

  /// Parses a complete UTF-8 text.
  ///
  /// - Throws: ``ForeignFileError`` if a quoted field is unterminated, or there are too many columns.
  init(_ text: [UInt8]) throws(ForeignFileError) {
    let separator = Self.separator(text)
    var row: [String] = []
    var field: [UInt8] = []
    var position = 0
    var isQuoted = false
    func append(_ row: inout [String], _ field: inout [UInt8]) throws(ForeignFileError) {
      guard row.count < Self.columnLimit else {
        throw ForeignFileError.overLimit(reason: "a row has more than \(Self.columnLimit) columns")
      }
      row.append(String(decoding: field, as: UTF8.self))
      field = []
    }
    while position < text.count {
      let byte = text[position]
      position += 1
      if isQuoted {
        guard byte == Self.quote else {
          field.append(byte)
          continue
        }
        // Two quotes inside a quoted field mean one.
        if position < text.count, text[position] == Self.quote {
          field.append(Self.quote)
          position += 1
        } else {
          isQuoted = false
        }
      } else if byte == Self.quote, field.isEmpty {
        isQuoted = true
      } else if byte == separator {
        try append(&row, &field)
      } else if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D, position < text.count, text[position] == 0x0A { position += 1 }
        try append(&row, &field)
        add(row)
        row = []
      } else {
        field.append(byte)
      }
    }
    guard !isQuoted else { throw .notThisFormat(reason: "a quoted field of the CSV file does not end") }
    if !field.isEmpty || !row.isEmpty {
      try append(&row, &field)
      add(row)
    }
  }

  private mutating func add(_ row: [String]) {
    if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
  }

  private static func separator(_ text: [UInt8]) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in text {
      if byte == quote { isQuoted.toggle() }
      if !isQuoted, byte == 0x0A || byte == 0x0D { break }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let most = candidates.max { counts[$0, default: 0] < counts[$1, default: 0] }
    return most.flatMap { counts[$0, default: 0] > counts[candidates[0], default: 0] ? $0 : nil }
      ?? candidates[0]
  }
}
