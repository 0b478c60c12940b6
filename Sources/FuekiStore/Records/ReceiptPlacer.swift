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
  ///
  /// - Returns: whether it is beside its transaction.
  @discardableResult
  func place(_ receipt: Receipt) throws -> Bool {
    let bytes: [UInt8] = try receipt.serializedBytes()
    let records = try decoder.decode(bytes, [bytes.indices])
    return try place(records, 0, at: try row(ofTransaction: records.transaction(0)))
  }

  /// The transaction's row, looked for by its id.
  func row(ofTransaction id: Data?) throws -> Int64? {
    try id.flatMap { try Int64.fetchOne(lookup, arguments: [$0]) }
  }

  /// Inserts a decoded receipt at its transaction's row, or unclaimed without one or beside another receipt.
  ///
  /// - Returns: whether it is beside its transaction.
  @discardableResult
  func place(_ records: DecodedRecords, _ record: Int, at row: Int64?) throws -> Bool {
    var single = DecodedRecords(block: records.block, width: records.width, count: 1)
    guard let row, try Row.fetchOne(presence, arguments: [row]) == nil else {
      // Unclaimed, a receipt has its transaction's id before all else.
      single[0, 0] = records[record, records.width - 1]
      for slot in 1..<records.width { single[0, slot] = records[record, slot - 1] }
      try unclaimed.insert(single)
      return false
    }
    for slot in 0..<records.width { single[0, slot] = records[record, slot] }
    let bound = try receipts.binding.bind(single) { _, _ in nil }
    for bound in bound.rows { try receipts.insert(bound, at: row) }
    return true
  }
}

extension DecodedRecords {
  /// The id of the transaction that a receipt is of, which comes behind its columns.
  func transaction(_ record: Int) -> Data? { bytes(record, width - 1) }
}
