internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Writes what a merge decided about the records of one kind.
final class RecordWriter<Record: SectionRecord> {
  private let table: StoreTable
  private let database: Database
  private let decoder: RecordDecoder
  private let inserter: RecordInserter
  private let placer: ReceiptPlacer?

  init(_ table: StoreTable, _ context: MergeContext) throws {
    self.table = table
    database = context.database
    let columns = context.unknownColumns(table.name)
    decoder = RecordDecoder(table, unknownColumns: columns)
    inserter = try RecordInserter(
      table, unknownColumns: columns, parents: context.parents, in: context.database)
    placer =
      table.name == .receipts ? try ReceiptPlacer(in: context.database, unknownColumns: columns) : nil
  }

  /// Inserts a new record.
  ///
  /// - Returns: its row; of a receipt that no transaction has, with a minus before it.
  func insert(_ record: Record) throws -> Int64 {
    if let placer, let receipt = record as? Receipt {
      return try placer.place(receipt) ? database.lastInsertedRowID : -database.lastInsertedRowID
    }
    try inserter.insert(try decoded(record))
    // The tables of lists have no row ids, so this is the record's own.
    return database.lastInsertedRowID
  }

  /// Puts a record in the place of the one at a row; what belongs to that stays.
  ///
  /// - Returns: its row, which only a receipt's may not be the same.
  func put(_ record: Record, at row: Int64) throws -> Int64 {
    guard let placer, let receipt = record as? Receipt else {
      try inserter.update(try decoded(record), at: row)
      return row
    }
    let shelf = row < 0 ? StoreTable.Name.unclaimedReceipts : .receipts
    try database.execute(sql: "DELETE FROM \(shelf.rawValue) WHERE row_id = ?", arguments: [abs(row)])
    return try placer.place(receipt) ? database.lastInsertedRowID : -database.lastInsertedRowID
  }

  /// Removes those parts of a file whose rows are chosen.
  func removeParts(of id: Data, where isChosen: (Int64) -> Bool) throws {
    let rows = try Int64.fetchAll(database, sql: "SELECT row_id FROM files WHERE id = ?", arguments: [id])
    for row in rows where isChosen(row) {
      try database.execute(sql: "DELETE FROM files WHERE row_id = ?", arguments: [row])
    }
  }

  private func decoded(_ record: Record) throws -> DecodedRecords {
    let bytes: [UInt8] = try record.serializedBytes()
    return try decoder.decode(bytes, [bytes.indices])
  }
}
