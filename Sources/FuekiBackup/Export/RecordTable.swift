package import FuekiArchive
package import FuekiWallet
internal import SwiftProtobuf

/// How a section's records become lines.
package struct RecordTable: Sendable {
  private let kind: RecordKind
  private let shape: RecordShape

  /// The table of a kind of the store's records.
  package init(_ kind: RecordKind) {
    self.kind = kind
    shape = RecordShape(kind.fields)
  }

  /// The table of a section; nil for the manifest and for secrets, which are not lines.
  package static func of(_ section: Section) -> RecordTable? { all[section] }

  private static let all = Dictionary(
    uniqueKeysWithValues: RecordKind.all.filter { $0.recordType != nil }.map { ($0.section, RecordTable($0)) }
  )

  /// The members that a record can have, in order, and those that say where a file's part went.
  var columns: [String] {
    let fields = shape.fields.filter { field in if case .omitted = field.value { false } else { true } }
    let places = kind.traits.contains(.inParts) ? ["file", "content"] : []
    return fields.map(\.name.text) + ["extra", "unknown_fields"] + places
  }

  /// A block's records as lines, one object each.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  package func lines(of block: RecordBlock) throws -> ExportedLines {
    // Text is about twice as long as its packed form.
    var writer = JSONLineWriter(reserving: 3 * block.bytes.count)
    do {
      for message in block.messages {
        try RecordTranscoder.write(block.bytes.span.extracting(message), as: shape, to: &writer)
        writer.endLine()
      }
    } catch {
      return try respelledLines(of: block)
    }
    return ExportedLines(bytes: writer.bytes, count: block.messages.count)
  }

  /// One record's line, without its end.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  package func line(of record: some SectionRecord) throws -> String {
    var writer = try openObject(try record.serializedBytes())
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The members of one record, in an object that is left open.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  func openObject(_ message: [UInt8]) throws -> JSONLineWriter {
    do {
      return try openObject(asSpelled: message)
    } catch {
      return try malformed { try openObject(asSpelled: try kind.respelled(message)) }
    }
  }

  private func openObject(asSpelled message: [UInt8]) throws -> JSONLineWriter {
    var writer = JSONLineWriter(reserving: 512)
    writer.beginObject()
    try RecordTranscoder.writeMembers(message.span, as: shape, to: &writer)
    return writer
  }

  /// The lines of another writer's block: SwiftProtobuf accepts spellings that the transcoder does not.
  private func respelledLines(of block: RecordBlock) throws -> ExportedLines {
    try malformed {
      var writer = JSONLineWriter(reserving: 3 * block.bytes.count)
      for message in block.messages {
        let respelled = try kind.respelled(Array(block.bytes[message]))
        try RecordTranscoder.write(respelled.span, as: shape, to: &writer)
        writer.endLine()
      }
      return ExportedLines(bytes: writer.bytes, count: block.messages.count)
    }
  }

  private func malformed<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw RecordsError.malformedRecord(section: kind.name) }
  }
}

/// Some records of a section, each a line.
package struct ExportedLines: Sendable {
  /// The lines.
  package let bytes: [UInt8]
  /// How many they are.
  let count: Int
}

/// Turns the lines of an export into comma-separated values (RFC 4180), one row for each record.
///
/// Texts and the digits of numbers are unchanged. Lists and objects are JSON in one cell. A member that a record lacks
/// is an empty cell, and an empty text is two quotes.
///
/// A spreadsheet evaluates a text that begins with certain characters as a formula, which an attacker can exploit.
/// Unless the rows are to be exact, such a text gets an apostrophe in front. See ``Formula``.
struct CommaSeparated: Sendable {
  private let columns: [String]
  private let isExact: Bool
  private let places: [[UInt8]: Int]

  init(columns: [String], isExact: Bool = false) {
    self.columns = columns
    self.isExact = isExact
    places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { (Array($1.utf8), $0) })
  }

  /// The first row.
  var header: [UInt8] { Array((columns.joined(separator: ",") + "\r\n").utf8) }

  /// The rows of lines that ``JSONLineWriter`` wrote; members that are no column are left out.
  func rows(of lines: [UInt8]) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(lines.count)
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      var cells: [ArraySlice<UInt8>?] = Array(repeating: nil, count: columns.count)
      Self.forEachMember(of: line) { name, value in
        if let place = places[Array(name)] { cells[place] = value }
      }
      for (place, cell) in cells.enumerated() {
        if place > 0 { rows.append(UInt8(ascii: ",")) }
        if let cell { append(cell, to: &rows) }
      }
      rows += [0x0D, 0x0A]
    }
    return rows
  }

  /// Goes through an object's members as they are written, values still in JSON.
  private static func forEachMember(
    of line: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Void
  ) {
    var position = line.startIndex + 1
    while position < line.endIndex, line[position] == UInt8(ascii: "\"") {
      let name = position + 1..<end(ofValueAt: position, in: line) - 1
      // The colon.
      let start = name.upperBound + 2
      let end = end(ofValueAt: start, in: line)
      body(line[name], line[start..<end])
      position = end + 1
    }
  }

  /// Where a value ends: at the comma or bracket that is not in it.
  private static func end(ofValueAt start: Int, in line: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var isInText = false
    var position = start
    while position < line.endIndex {
      switch line[position] {
      case UInt8(ascii: "\\") where isInText: position += 1
      case UInt8(ascii: "\""):
        isInText.toggle()
        if depth == 0, !isInText { return position + 1 }
      case UInt8(ascii: "{") where !isInText, UInt8(ascii: "[") where !isInText: depth += 1
      case UInt8(ascii: "}") where !isInText, UInt8(ascii: "]") where !isInText:
        guard depth > 0 else { return position }
        depth -= 1
      case UInt8(ascii: ",") where !isInText && depth == 0: return position
      default: break
      }
      position += 1
    }
    return position
  }

  private func append(_ value: ArraySlice<UInt8>, to row: inout [UInt8]) {
    let isText = value.first == UInt8(ascii: "\"")
    var bytes = isText ? Self.unescaped(value.dropFirst().dropLast()) : Array(value)
    // Lists and objects begin with a bracket, but contain texts.
    if !isExact { bytes = Formula.neutralised(bytes) }
    let special: Set<UInt8> = [0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: ",")]
    guard bytes.isEmpty || bytes.contains(where: special.contains) else { return row += bytes }
    row.append(UInt8(ascii: "\""))
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { row.append(byte) }
      row.append(byte)
    }
    row.append(UInt8(ascii: "\""))
  }

  /// A text without the escapes that ``JSONLineWriter`` makes: `\uXXXX` stands for one control character only.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    var bytes: [UInt8] = []
    var position = text.startIndex
    while position < text.endIndex {
      guard text[position] == UInt8(ascii: "\\") else {
        bytes.append(text[position])
        position += 1
        continue
      }
      switch text[position + 1] {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"):
        let digits = String(decoding: text[position + 4..<position + 6], as: UTF8.self)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
        position += 4
      default: bytes.append(text[position + 1])
      }
      position += 2
    }
    return bytes
  }
}

/// Texts that spreadsheets evaluate as formulas in a table of comma-separated values.
///
/// A cell that begins with `=`, `+`, `-` or `@`, or with a tab or a carriage return before one of these, is evaluated
/// when the table is opened. If the semicolon separates cells, as in much of Europe, a new cell begins after a
/// semicolon in the middle of a text, and a new row after a line break. A decimal number, such as an amount that left a
/// wallet, is a constant and no formula.
enum Formula {
  private static let apostrophe = UInt8(ascii: "'")
  private static let signs = Set("=+-@\t\r".utf8)
  private static let separators = Set(";\t\r\n".utf8)
  /// The wide forms of the four signs in UTF-8, which some programs take for these.
  private static let wideSigns: [[UInt8]] = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map {
    Array($0.utf8)
  }

  /// A cell with an apostrophe before each sign that would begin a formula; a text without one as it is.
  static func neutralised(_ cell: [UInt8]) -> [UInt8] {
    guard !isNumber(cell) else { return cell }
    var safe: [UInt8] = []
    safe.reserveCapacity(cell.count + 1)
    for (place, byte) in cell.enumerated() {
      let begins = place == 0 || separators.contains(cell[place - 1])
      if begins, isSign(at: place, in: cell) { safe.append(apostrophe) }
      safe.append(byte)
    }
    return safe
  }

  /// Whether a cell is digits, with at most a minus before them and a point between them.
  static func isNumber(_ cell: [UInt8]) -> Bool {
    let parts = (cell.first == UInt8(ascii: "-") ? cell.dropFirst() : cell[...]).split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { 0x30...0x39 ~= $0 } }
  }

  private static func isSign(at place: Int, in cell: [UInt8]) -> Bool {
    // In the middle of a text the separator itself has been seen, so only the character after it counts.
    if signs.contains(cell[place]) { return place == 0 || !separators.contains(cell[place]) }
    guard cell[place] == 0xEF else { return false }
    return wideSigns.contains { cell[place...].starts(with: $0) }
  }
}
