import FoundationEssentials
import FuekiSQLite
import GRDB
import TestSupport

/// A column's value, with text as raw bytes.
enum ColumnValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Returns all rows of a query, converted while GRDB's cursor is on them.
  ///
  /// A copied row would lose everything after a U+0000.
  static func rows(_ database: Database, _ sql: String) throws -> [[ColumnValue]] {
    var all: [[ColumnValue]] = []
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() { all.append((0..<row.count).map { ColumnValue(row, $0) }) }
    return all
  }

  private init(_ row: Row, _ column: Int) {
    switch (row[column] as DatabaseValue).storage {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    // A `String` would end at the first U+0000.
    case .string: self = .text([UInt8](row[column] as Data))
    case .blob(let value): self = .blob([UInt8](value))
    }
  }

  /// The value to bind with GRDB.
  ///
  /// Text is bound as bytes, for `CAST(? AS TEXT)`.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let bytes), .blob(let bytes): Data(bytes).databaseValue
    }
  }

  /// Returns the value to bind with `SQLValue`, appending its bytes to the buffer.
  func bound(in bytes: inout [UInt8]) -> SQLValue {
    switch self {
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(let value), .blob(let value):
      let start = bytes.count
      bytes += value
      if case .text = self { return SQLValue(start..<bytes.count, isText: true) }
      return SQLValue(start..<bytes.count, isText: false)
    }
  }

  /// Whether a field of implicit presence treats the value as absent.
  var isAbsent: Bool { [.null, .integer(0), .text([]), .blob([])].contains(self) }

  /// Returns a random value, with a bias to edge cases.
  static func any(_ random: inout RandomSource) -> ColumnValue {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .null
    case 1: .real([0, -0.5, .greatestFiniteMagnitude, 1e300].randomElement(using: &random) ?? 0)
    default: fitting(["INTEGER", "TEXT", "BLOB"].randomElement(using: &random) ?? "", &random)
    }
  }

  /// Returns a random value of a column's declared type, or NULL.
  static func fitting(_ type: String, _ random: inout RandomSource) -> ColumnValue {
    if Int.random(in: 0..<5, using: &random) == 0 { return .null }
    switch type {
    case "INTEGER":
      let odd: [Int64] = [0, 1, -1, .max, .min, 1 << 40, -62_135_596_800_000_000]
      return .integer(odd.randomElement(using: &random) ?? 0)
    case "TEXT":
      let odd = ["", "\0", "a\0b", "\0\0", "caf\u{E9}", "cafe\u{301}", "\u{1F4B8}", "12", "1e5", "null"]
      let text = odd.randomElement(using: &random) ?? ""
      return .text(Array(String(repeating: text, count: .random(in: 1...3, using: &random)).utf8))
    default:
      let count = [0, 5, 17, 21, 33, 300].randomElement(using: &random) ?? 0
      return .blob(random.bytes(count))
    }
  }
}
