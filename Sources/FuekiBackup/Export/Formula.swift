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
