package import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
package import FuekiWallet
package import GRDB

extension RecordShelf {
  /// Returns a record's name for people: its id as text, a setting's key, or a file's path.
  func name(of record: Record) throws -> String {
    if let part = record as? FilePart { return String(decoding: part.path, as: UTF8.self) }
    switch table.kind.idField?.value {
    case .text: return String(decoding: record.id, as: UTF8.self)
    case .packed: return PackedText.text(record.id) ?? "an id of \(record.id.count) bytes"
    default: return Hex.encode(record.id.span)
    }
  }
}

/// All receipts, with their transactions or unclaimed.
package struct ReceiptShelves: Sendable {
  private let claimed = RecordShelf<Receipt>(.receipts)
  private let unclaimed = RecordShelf<Receipt>(.unclaimedReceipts)

  package init() {}

  /// The end of the query for a transaction's receipts.
  ///
  /// It selects their rows, because a plain query would scan all receipts and look up each one's transaction.
  static let ofTransaction = """
    WHERE receipts.row_id IN (
      SELECT row_id FROM transactions WHERE \(StoreIndex.key("id")) = \(StoreIndex.key("?1")) AND id = ?1)
    """

  /// Returns the receipts of a transaction, by its id.
  package func ofTransaction(_ id: Data, in database: Database) throws -> [Receipt] {
    let isSameText = "\(StoreIndex.key("transaction_id")) = \(StoreIndex.key("?1")) AND transaction_id = ?1"
    return try claimed.fetch(Self.ofTransaction, [id], in: database)
      + unclaimed.fetch("WHERE \(isSameText)", [id], in: database)
  }

  /// Returns the number of receipts.
  package func count(in database: Database) throws -> Int {
    try claimed.count(in: database) + unclaimed.count(in: database)
  }

  /// Removes the receipts of a transaction with a receipt's id.
  package func remove(_ receipt: Receipt, in database: Database) throws {
    let id = receipt.id.isEmpty ? nil : receipt.id
    try database.execute(
      sql: """
        DELETE FROM receipts WHERE id IS ?2 AND row_id IN (
          SELECT row_id FROM transactions
          WHERE \(StoreIndex.key("id")) = \(StoreIndex.key("?1")) AND id = ?1)
        """, arguments: [receipt.transactionID, id])
    try database.execute(
      sql: "DELETE FROM unclaimed_receipts WHERE transaction_id = ?1 AND id IS ?2",
      arguments: [receipt.transactionID, id])
  }
}
