internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Writes the decisions of a merge for one kind of record.
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
  /// - Returns: its row, negated for a receipt without a transaction.
  func insert(_ record: Record) throws -> Int64 {
    if let placer, let receipt = record as? Receipt {
      return try placer.place(receipt) ? database.lastInsertedRowID : -database.lastInsertedRowID
    }
    try inserter.insert(try decoded(record))
    // The tables of lists have no row ids, so this is the record's own.
    return database.lastInsertedRowID
  }

  /// Replaces the record at a row and keeps its children.
  ///
  /// - Returns: its row, which can change only for a receipt.
  func put(_ record: Record, at row: Int64) throws -> Int64 {
    guard let placer, let receipt = record as? Receipt else {
      try inserter.update(try decoded(record), at: row)
      return row
    }
    let shelf = row < 0 ? StoreTable.Name.unclaimedReceipts : .receipts
    try database.execute(sql: "DELETE FROM \(shelf.rawValue) WHERE row_id = ?", arguments: [abs(row)])
    return try placer.place(receipt) ? database.lastInsertedRowID : -database.lastInsertedRowID
  }

  /// Removes the parts of a file at selected rows.
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
