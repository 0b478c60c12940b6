internal import FoundationEssentials
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Puts receipts beside their transactions, or with the unclaimed ones.
final class ReceiptPlacer {
  private let database: Database
  private let decoder: RecordDecoder
  private let receipts: RecordInserter
  private let unclaimed: RecordInserter
  private let lookup: Statement
  private let presence: Statement

  init(in database: Database, unknownColumns: [String] = []) throws {
    self.database = database
    decoder = RecordDecoder(.receipts, unknownColumns: unknownColumns)
    let parents = ParentRows(looksUp: false)
    receipts = try RecordInserter(
      .receipts, unknownColumns: unknownColumns, parents: parents, in: database)
    unclaimed = try RecordInserter(
      .unclaimedReceipts, unknownColumns: unknownColumns, parents: parents, in: database)
    lookup = try database.makeStatement(
      sql: """
        SELECT row_id FROM transactions WHERE \(StoreIndex.key("id")) = \(StoreIndex.key("?1")) AND id = ?1
        ORDER BY row_id LIMIT 1
        """)
    presence = try database.makeStatement(sql: "SELECT 1 FROM receipts WHERE row_id = ?")
  }

  /// Inserts one receipt, wherever its transaction is.
  func place(_ receipt: Receipt) throws {
    let bytes: [UInt8] = try receipt.serializedBytes()
    let record = try decoder.decode(bytes, [bytes.indices]).record(0)
    try place(record, at: try row(ofTransaction: Self.transaction(of: record)))
  }

  /// The id of the transaction that a decoded receipt is of.
  static func transaction(of record: ArraySlice<DatabaseValue>) -> DatabaseValue { record.last ?? .null }

  /// The transaction's row, looked for by its id.
  func row(ofTransaction id: DatabaseValue) throws -> Int64? {
    id.isNull ? nil : try Int64.fetchOne(lookup, arguments: [id])
  }

  /// Inserts a decoded receipt at its transaction's row, or unclaimed without one or beside another receipt.
  func place(_ record: ArraySlice<DatabaseValue>, at row: Int64?) throws {
    if let row, try Row.fetchOne(presence, arguments: [row]) == nil {
      try receipts.insert(try receipts.binding.bind(record) { _, _ in nil }, at: row)
    } else {
      let values = [Self.transaction(of: record)] + record.dropLast()
      try unclaimed.insert(DecodedRecords(width: values.count, count: 1, values: values))
    }
  }
}
