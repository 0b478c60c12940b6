/// Breaks lines between words, so that neither a narrow terminal nor the edge of a page breaks them inside.
enum LineBreaks {
  private static let fewestColumns = 20

  /// Breaks the line into as many lines as it needs.
  ///
  /// Continuations are indented to the line's own text, or to its second column, such as the text after a name. A word
  /// longer than a line, such as a path, stays whole so that it can be copied.
  static func broken(_ line: String, columns: Int) -> String {
    let columns = max(fewestColumns, columns)
    guard DisplayWidth.of(line) > columns else { return line }
    let indent = line.prefix { $0 == " " }.count
    let near = min(indent + 2, columns / 2)
    let hang = min(secondColumn(of: line, after: indent) ?? near, columns * 2 / 5)
    var result = String(repeating: " ", count: indent)
    var width = indent
    var gap = 0
    var isFirst = true
    for (blanks, word) in pieces(of: line.dropFirst(indent)) {
      let wordWidth = DisplayWidth.of(word)
      gap += blanks
      if isFirst || width + gap + wordWidth <= columns {
        result += String(repeating: " ", count: isFirst ? 0 : gap) + word
        width += (isFirst ? 0 : gap) + wordWidth
      } else {
        let start = hang + wordWidth <= columns ? hang : near
        result += "\n" + String(repeating: " ", count: start) + word
        width = start + wordWidth
      }
      (gap, isFirst) = (0, false)
    }
    return result
  }

  /// Words on lines that are not longer than a page is wide, counted in characters, unless one word is.
  ///
  /// The first line begins with `first`, each other one with `indent`.
  static func lines(of text: String, width: Int, first: String, indent: String) -> [String] {
    var lines = [first]
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, lines[lines.count - 1].count + 1 + word.count > width {
        lines.append(indent)
        isEmpty = true
      }
      lines[lines.count - 1] += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines
  }

  /// Returns the start of the text after the first wide gap; nil if there is none.
  private static func secondColumn(of line: String, after indent: Int) -> Int? {
    var width = indent
    for (blanks, word) in pieces(of: line.dropFirst(indent)) {
      if blanks > 1, width > indent { return width + blanks }
      width += blanks + DisplayWidth.of(word)
    }
    return nil
  }

  /// The words, each with how many blanks are before it.
  private static func pieces(of text: Substring) -> [(blanks: Int, word: String)] {
    var pieces: [(blanks: Int, word: String)] = []
    var rest = text
    while !rest.isEmpty {
      let blanks = rest.prefix { $0 == " " }
      rest = rest.dropFirst(blanks.count)
      let word = rest.prefix { $0 != " " }
      rest = rest.dropFirst(word.count)
      if !word.isEmpty { pieces.append((blanks.count, String(word))) }
    }
    return pieces
  }
}

/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// Two for each wide character of East Asian scripts and each picture, one for all others, whatever marks they carry.
  static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: isWide) ? 2 : 1) }
  }

  /// A text that is filled up with blanks to so many columns.
  static func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - of(text)))
  }

  /// The beginning of a text that fits into so many columns.
  static func prefix(_ text: String, _ columns: Int) -> String {
    guard of(text) > columns else { return text }
    var result = ""
    var width = 0
    for character in text {
      width += of(String(character))
      guard width < columns else { break }
      result.append(character)
    }
    return result + "…"
  }

  /// Unicode Standard Annex 11: wide and fullwidth, in whole blocks.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

/// Rows below a heading, aligned with blanks, or on a narrow screen as lists.
struct TextTable {
  private var rows: [[String]]

  init(_ heading: [String]) { rows = [heading] }

  var isEmpty: Bool { rows.count == 1 }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// Returns the lines for a screen.
  ///
  /// A column is as wide as its widest text. If all columns but the last do not fit next to one another, each text has a
  /// line of its own, after its heading in small letters.
  ///
  /// - Parameters:
  ///   - screen: the screen, which may have no width.
  ///   - hasHeading: whether the heading is the first line of the table.
  /// - Returns: the lines.
  func lines(on screen: Screen, hasHeading: Bool = true) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
    }
    let needed = widths.prefix(rows[0].count).dropLast().reduce(0) { $0 + $1 + 2 }
    guard screen.columns.map({ needed <= $0 }) ?? true else { return rows.dropFirst().flatMap(listed) }
    return rows.dropFirst(hasHeading ? 0 : 1).map { row in
      let cells = row.enumerated().map { column, text in
        column == row.count - 1 ? text : DisplayWidth.padded(text, widths[column])
      }
      return cells.joined(separator: "  ")
    }
  }

  private func listed(_ row: [String]) -> [String] {
    let named = row.enumerated().map { column, text in
      column < rows[0].count ? "\(rows[0][column].lowercased()): \(text)" : text
    }
    let shown = zip(row, named).filter { !$0.0.isEmpty }.map { $0.1 }
    return shown.enumerated().map { $0.offset == 0 ? $0.element : "  \($0.element)" }
  }
}
