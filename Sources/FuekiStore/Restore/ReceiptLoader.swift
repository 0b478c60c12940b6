internal import FoundationEssentials
internal import GRDB

/// Inserts receipts during a load, where they come in their transactions' order.
///
/// It walks through the transactions beside them. A receipt that is not among the next few is looked for by its
/// transaction's id, for which the index is made when it is first needed.
final class ReceiptLoader {
  private static let longestStride = 1024

  private let database: Database
  private let unknownColumns: [String]
  private let inserter: RecordInserter
  private var walk: RowCursor
  private var next: (row: Int64, id: Data)?
  private var stride = longestStride
  private var highest: Int64 = 0
  private var placer: ReceiptPlacer?

  init(in database: Database, unknownColumns: [String]) throws {
    self.database = database
    self.unknownColumns = unknownColumns
    inserter = try RecordInserter(
      .receipts, unknownColumns: unknownColumns, parents: ParentRows(looksUp: false), in: database)
    walk = try Self.walk(after: 0, database)
    try advance()
  }

  func insert(_ receipts: BoundRecords) throws {
    for (place, bound) in receipts.rows.enumerated() {
      let id = receipts.records.transaction(place)
      if let row = try id.flatMap(walkOn(to:)), row > highest {
        // The row after the last is what SQLite takes by itself.
        try inserter.insert(bound, at: row == highest + 1 ? nil : row)
        highest = row
      } else {
        try lookUp(id, receipts.records, place)
      }
    }
  }

  private func walkOn(to id: Data) throws -> Int64? {
    for _ in 0..<stride {
      guard let next else { break }
      try advance()
      if next.id == id {
        stride = min(stride * 2, Self.longestStride)
        return next.row
      }
    }
    // Where receipts come in another order, walking far would be for nothing.
    stride = max(stride / 2, 1)
    return nil
  }

  private func lookUp(_ id: Data?, _ receipts: DecodedRecords, _ place: Int) throws {
    let placer = try self.placer ?? makePlacer()
    self.placer = placer
    let row = try placer.row(ofTransaction: id)
    try placer.place(receipts, place, at: row)
    guard let row else { return }
    highest = max(highest, row)
    walk = try Self.walk(after: row, database)
    try advance()
  }

  private func makePlacer() throws -> ReceiptPlacer {
    if let index = StoreIndex.all.first(where: { $0.name == StoreIndex.transactionsByID }) {
      try database.execute(sql: index.sql)
    }
    return try ReceiptPlacer(in: database, unknownColumns: unknownColumns)
  }

  private func advance() throws {
    next = try walk.next().map { ($0[0], $0[1] ?? Data()) }
  }

  private static func walk(after row: Int64, _ database: Database) throws -> RowCursor {
    try Row.fetchCursor(
      database, sql: "SELECT row_id, id FROM transactions WHERE row_id > ? ORDER BY row_id", arguments: [row])
  }
}
