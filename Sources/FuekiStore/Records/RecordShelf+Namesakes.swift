internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import GRDB

extension RecordShelf {
  /// What people may call a record: its id as text, a setting's key, or a file's path.
  func name(of record: Record) throws -> String {
    if let part = record as? FilePart { return String(decoding: part.path, as: UTF8.self) }
    switch table.kind.idField?.value {
    case .text: return String(decoding: record.id, as: UTF8.self)
    case .packed: return PackedText.text(record.id) ?? "an id of \(record.id.count) bytes"
    default: return Hex.encode(record.id.span)
    }
  }
}

/// Receipts wherever they are: beside their transactions, or unclaimed.
struct ReceiptShelves: Sendable {
  private let claimed = RecordShelf<Receipt>(.receipts)
  private let unclaimed = RecordShelf<Receipt>(.unclaimedReceipts)

  /// The end of the query for the receipts beside a transaction.
  ///
  /// It names their rows, for a query for receipts goes through all of them and looks for each one's transaction.
  static let ofTransaction = """
    WHERE receipts.row_id IN (
      SELECT row_id FROM transactions WHERE \(StoreIndex.key("id")) = \(StoreIndex.key("?1")) AND id = ?1)
    """

  /// The receipts of a transaction, by its id.
  func ofTransaction(_ id: Data, in database: Database) throws -> [Receipt] {
    let isSameText = "\(StoreIndex.key("transaction_id")) = \(StoreIndex.key("?1")) AND transaction_id = ?1"
    return try claimed.fetch(Self.ofTransaction, [id], in: database)
      + unclaimed.fetch("WHERE \(isSameText)", [id], in: database)
  }

  /// How many receipts there are.
  func count(in database: Database) throws -> Int {
    try claimed.count(in: database) + unclaimed.count(in: database)
  }

  /// Removes the receipts that have a receipt's id and are of its transaction.
  func remove(_ receipt: Receipt, in database: Database) throws {
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
