internal import FuekiSQLite
internal import GRDB

/// Inserts receipts during a load, in which they follow their transactions' order.
///
/// It walks through the transactions in parallel. A receipt not among the next few is looked up by its
/// transaction's id, with an index created on first use.
final class ReceiptLoader {
  private static let longestStride = 1024

  private let database: Database
  private let unknownColumns: [String]
  private let inserter: RecordInserter
  /// The statement is at the next transaction, if any.
  private var walk: SQLStatement
  private var hasNext = false
  private var stride = longestStride
  private var highest: Int64 = 0
  private var placer: ReceiptPlacer?

  init(in database: Database, unknownColumns: [String]) throws {
    self.database = database
    self.unknownColumns = unknownColumns
    inserter = try RecordInserter(
      .receipts, unknownColumns: unknownColumns, parents: ParentRows(looksUp: false), isLoad: true,
      in: database)
    walk = try SQLStatement(
      "SELECT row_id, id FROM transactions WHERE row_id > ? ORDER BY row_id", in: database)
    try go(behind: 0)
  }

  func insert(_ receipts: BoundRecords) throws {
    let records = receipts.records
    // Records whose rows follow the last one, so that SQLite itself assigns them.
    var next = 0..<0
    for place in 0..<records.count {
      let id = records[place, records.width - 1].range
      let row = try id.flatMap { try walkOn(to: records.bytes.span.extracting($0)) }
      if let row, row == highest + 1 {
        next = next.isEmpty ? place..<place + 1 : next.lowerBound..<place + 1
        highest = row
        continue
      }
      try insert(&next, of: records)
      if let row, row > highest {
        try inserter.insert(records, place, at: row)
        highest = row
      } else {
        try lookUp(records, place)
      }
    }
    try insert(&next, of: records)
  }

  private func insert(_ places: inout Range<Int>, of records: DecodedRecords) throws {
    if !places.isEmpty { try inserter.insert(records, places) }
    places = 0..<0
  }

  private func walkOn(to id: Span<UInt8>) throws -> Int64? {
    for _ in 0..<stride {
      guard hasNext else { break }
      let found = walk.withRow { row in
        row.withBytes(1) { $0?.isEqual(to: id) ?? id.isEmpty } ? row.integer(0) : nil
      }
      hasNext = try walk.step()
      if let found {
        stride = min(stride * 2, Self.longestStride)
        return found
      }
    }
    // If receipts come in another order, long walks are useless.
    stride = max(stride / 2, 1)
    return nil
  }

  private func lookUp(_ receipts: DecodedRecords, _ place: Int) throws {
    let placer = try self.placer ?? makePlacer()
    self.placer = placer
    let row = try placer.row(ofTransaction: receipts.transaction(place))
    try placer.place(receipts, place, at: row)
    guard let row else { return }
    highest = max(highest, row)
    try go(behind: row)
  }

  private func makePlacer() throws -> ReceiptPlacer {
    if let index = StoreIndex.all.first(where: { $0.name == StoreIndex.transactionsByID }) {
      try database.execute(sql: index.sql)
    }
    return try ReceiptPlacer(in: database, unknownColumns: unknownColumns)
  }

  private func go(behind row: Int64) throws {
    try walk.begin(row)
    hasNext = try walk.step()
  }
}
