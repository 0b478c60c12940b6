internal import GRDB

/// A table's rows in portions that each make a batch of about three quarters of a mebibyte.
struct RowRanges: Sendable {
  private static let targetBytes: Int64 = 768 << 10
  private static let limitBytes: Int64 = 4 << 20
  private static let blockRows: Int64 = 1024

  private(set) var ranges: [ClosedRange<Int64>] = []
  private(set) var count: UInt64 = 0
  private var open: (range: ClosedRange<Int64>, bytes: Int64)?

  /// Looks at the sizes of all rows, which SQLite knows without reading what is large.
  init(of table: StoreTable, in database: Database) throws {
    let name = table.name.rawValue
    let size = Self.size(of: table)
    // Summed up in SQL, so that a million rows are a thousand answers.
    let statement = try database.makeStatement(
      sql: """
        SELECT min(row_id), max(row_id), count(*), sum(bytes)
        FROM (SELECT row_id, \(size) AS bytes FROM \(name) WHERE row_id > ? ORDER BY row_id LIMIT ?)
        """)
    var last = Int64.min
    while let block = try Row.fetchOne(statement, arguments: [last, Self.blockRows]),
      case let rows:Int64 = block[2], rows > 0
    {
      let (low, high, bytes): (Int64, Int64, Int64) = (block[0], block[1], block[3])
      count += UInt64(rows)
      last = high
      if bytes <= Self.limitBytes {
        add(low...high, bytes)
      } else {
        try addOneByOne(low...high, size, name, database)
      }
    }
    close()
  }

  private mutating func addOneByOne(
    _ range: ClosedRange<Int64>, _ size: String, _ name: String, _ database: Database
  ) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT row_id, \(size) FROM \(name) WHERE row_id BETWEEN ? AND ? ORDER BY row_id",
      arguments: [range.lowerBound, range.upperBound])
    while let row = try rows.next() {
      let number: Int64 = row[0]
      add(number...number, row[1])
    }
  }

  private mutating func add(_ range: ClosedRange<Int64>, _ bytes: Int64) {
    if let open, open.bytes + bytes <= Self.targetBytes {
      self.open = (open.range.lowerBound...range.upperBound, open.bytes + bytes)
    } else {
      close()
      open = (range, bytes)
    }
  }

  private mutating func close() {
    if let open { ranges.append(open.range) }
    open = nil
  }

  /// A row's bytes as a record, about: those columns that may be large are measured.
  private static func size(of table: StoreTable) -> String {
    let measured = table.columns.filter { column in
      switch (table.name, column.content) {
      case (_, .wire): true
      case (.transactions, _): false
      case (.receipts, _), (.unclaimedReceipts, _): column.name == "logs_json"
      case (_, .bytes), (_, .optionalBytes), (_, .text), (_, .optionalText): true
      default: false
      }
    }
    let fixed = table.name == .transactions ? 180 : 64
    return (measured.map(\.name) + ["extra"]).reduce("\(fixed)") {
      "\($0) + coalesce(length(\"\($1)\"), 0)"
    }
  }
}
