internal import FuekiBackup
internal import FuekiSQLite
internal import GRDB

/// Divides a table's rows into portions, each for a batch of a little less than a MiB.
///
/// Row sizes are estimated from a sample. A portion that turns out much larger is read in several batches.
struct RowRanges: Sendable {
  private static let targetBytes: Int64 = 960 << 10
  private static let sampledRows: Int64 = 256
  private static let mostRows: Int64 = 1 << 14

  let ranges: [ClosedRange<Int64>]
  let count: UInt64

  /// Counts and divides the rows.
  init(of table: StoreTable, in database: Database) throws {
    let name = table.name.rawValue
    let facts = try Self.numbers(
      "SELECT (SELECT count(*) FROM \(name)), (SELECT min(row_id) FROM \(name)), (SELECT max(row_id) FROM \(name))",
      count: 3, database)
    count = UInt64(facts[0])
    guard count > 0 else {
      ranges = []
      return
    }
    let rows = facts[1]...facts[2]
    let portion = try Self.portion(of: table, in: database)
    // Few row numbers are missing if few rows were removed.
    let isDense = UInt64(bitPattern: rows.upperBound &- rows.lowerBound) / 2 <= count
    ranges =
      isDense
      ? Self.evenly(rows, by: portion) : try Self.counted(rows, by: portion, name, database)
  }

  /// Returns the number of rows in a batch.
  private static func portion(of table: StoreTable, in database: Database) throws -> Int64 {
    let name = table.name.rawValue
    let columns = table.declaredColumns.dropFirst().map { "coalesce(length(\(SQLName.quoted($0.name))), 0)" }
    let size = "\(3 * columns.count / 2) + " + columns.joined(separator: " + ")
    func sum(_ order: String) -> String {
      """
      SELECT count(*) AS rows, sum(bytes) AS bytes
      FROM (SELECT \(size) AS bytes FROM \(name) ORDER BY row_id \(order) LIMIT \(sampledRows))
      """
    }
    let sampled = try numbers(
      "SELECT sum(rows), sum(bytes) FROM (\(sum("ASC")) UNION ALL \(sum("DESC")))", count: 2, database)
    let bytes = max(1, sampled[1] / max(1, sampled[0]))
    return min(max(1, targetBytes / bytes), mostRows)
  }

  private static func evenly(_ rows: ClosedRange<Int64>, by portion: Int64) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    var first = rows.lowerBound
    while true {
      let (beyond, overflows) = first.addingReportingOverflow(portion)
      guard !overflows, beyond <= rows.upperBound else { return ranges + [first...rows.upperBound] }
      ranges.append(first...(beyond - 1))
      first = beyond
    }
  }

  /// Walks over the rows if their numbers have gaps.
  private static func counted(
    _ rows: ClosedRange<Int64>, by portion: Int64, _ name: String, _ database: Database
  ) throws -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    var first = rows.lowerBound
    var next = try SQLStatement(
      "SELECT row_id FROM \(name) WHERE row_id >= ? ORDER BY row_id LIMIT 1 OFFSET ?", in: database)
    while true {
      try next.begin(first, portion)
      guard try next.step(), let beyond = next.withRow({ $0.integer(0) }), beyond > first else { break }
      ranges.append(first...(beyond - 1))
      first = beyond
    }
    return ranges + [first...rows.upperBound]
  }

  private static func numbers(_ sql: String, count: Int, _ database: Database) throws -> [Int64] {
    var statement = try SQLStatement(sql, in: database)
    _ = try statement.step()
    return statement.withRow { row in (0..<count).map { row.integer($0) ?? 0 } }
  }
}
