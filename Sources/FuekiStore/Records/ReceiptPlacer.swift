internal import FoundationEssentials
package import FuekiWallet
package import GRDB
internal import SwiftProtobuf

/// Inserts receipts next to their transactions, or as unclaimed.
package final class ReceiptPlacer {
  private let database: Database
  private let decoder: RecordDecoder
  private let receipts: RecordInserter
  private let unclaimed: RecordInserter
  /// The slot of a receipt for each slot of an unclaimed receipt.
  private let places: [Int?]
  private let lookup: Statement
  private let presence: Statement

  package init(in database: Database, unknownColumns: [String] = []) throws {
    self.database = database
    let decoder = RecordDecoder(.receipts, unknownColumns: unknownColumns)
    self.decoder = decoder
    let parents = ParentRows(looksUp: false)
    receipts = try RecordInserter(
      .receipts, unknownColumns: unknownColumns, parents: parents, in: database)
    unclaimed = try RecordInserter(
      .unclaimedReceipts, unknownColumns: unknownColumns, parents: parents, in: database)
    // An unclaimed receipt has its transaction's id in a column.
    places = unclaimed.steps.names.map { name in
      name == StoreTable.transactionColumn ? decoder.steps.transactionSlot : decoder.steps.slot(of: name)
    }
    lookup = try database.makeStatement(
      sql: "\(StoreIndex.row(ofID: "?1", in: .transactions)) ORDER BY row_id LIMIT 1")
    presence = try database.makeStatement(sql: "SELECT 1 FROM receipts WHERE row_id = ?")
  }

  /// Inserts one receipt, wherever its transaction is.
  ///
  /// - Returns: whether it is with its transaction.
  @discardableResult
  package func place(_ receipt: some SectionRecord) throws -> Bool {
    let bytes: [UInt8] = try receipt.serializedBytes()
    let records = try decoder.decode(bytes, [bytes.indices])
    return try place(records, 0, at: try row(ofTransaction: records.transaction(0)))
  }

  /// Finds the transaction's row by its id.
  func row(ofTransaction id: Data?) throws -> Int64? {
    try id.flatMap { try Int64.fetchOne(lookup, arguments: [$0]) }
  }

  /// Inserts a decoded receipt at its transaction's row, or as unclaimed if there is none or it is taken.
  ///
  /// - Returns: whether it is with its transaction.
  @discardableResult
  func place(_ records: DecodedRecords, _ record: Int, at row: Int64?) throws -> Bool {
    guard let row, try Row.fetchOne(presence, arguments: [row]) == nil else {
      var single = DecodedRecords(block: records.bytes, width: places.count, count: 1)
      for (slot, place) in places.enumerated() {
        if let place { single[0, slot] = records[record, place] }
      }
      try unclaimed.insert(single, 0, at: nil)
      return false
    }
    try receipts.insert(records, record, at: row)
    return true
  }
}

extension StoreTable {
  /// The column that only unclaimed receipts have.
  fileprivate static let transactionColumn = "transaction_id"
}

extension DecodedRecords {
  /// Returns the id of a receipt's transaction, in the slot after the columns.
  func transaction(_ record: Int) -> Data? { bytes(record, width - 1).map { Data($0) } }
}
