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
