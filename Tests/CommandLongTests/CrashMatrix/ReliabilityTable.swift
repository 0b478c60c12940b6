import TestSupport
import Testing

/// The tables of what was tried, in the article on testing.
enum ReliabilityTable {
  private static let article = "../Sources/FuekiBackup/FuekiBackup.docc/Testing.md"

  /// Expects a command's row to have the counted numbers.
  ///
  /// A few calls per run change with the program, which makes no difference to readers, so the numbers may be off by a
  /// quarter.
  static func expect(_ command: String, _ column: String, _ calls: Int, _ cases: Int) throws {
    let text = String(decoding: try TestVectors.file(article), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let head = try #require(lines.firstIndex { $0.contains("| \(column) |") }, "there is no such table")
    let row = lines[head...].first { $0.hasPrefix("| `\(command)` |") }
    let stated = (row ?? "").split(separator: "|").compactMap { Int($0.filter { !$0.isWhitespace }) }
    try #require(stated.count == 2, "the article has no row for \(command)")
    for (stated, counted) in zip(stated, [calls, cases]) {
      let isNear = abs(stated - counted) * 4 <= counted
      #expect(isNear, "\(command): the article says \(stated), and it is \(counted)")
    }
  }
}
