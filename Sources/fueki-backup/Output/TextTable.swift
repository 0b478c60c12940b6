/// Rows below a heading, aligned with blanks.
struct TextTable {
  private var rows: [[String]]

  init(_ heading: [String]) { rows = [heading] }

  var isEmpty: Bool { rows.count == 1 }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, with the heading first; a column is as wide as its widest text.
  var lines: [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
        column == row.count - 1 ? text : DisplayWidth.padded(text, widths[column])
      }
      return cells.joined(separator: "  ")
    }
  }
}
