package import GRDB

/// Joins records to parents that arrived after them.
package enum ParentClaims {
  /// Joins all records in these tables whose parents exist now.
  package static func settle(in database: Database) throws {
    for table in StoreTable.all {
      for (column, parent) in table.parents {
        let (name, parent) = (table.name.rawValue, parent.rawValue)
        try database.execute(
          sql: """
            UPDATE \(name) SET
              \(column)_row = (SELECT min(row_id) FROM \(parent) WHERE id = \(name).\(column)_id),
              \(column)_id = NULL
            WHERE \(column)_row IS NULL AND \(column)_id IN (SELECT id FROM \(parent))
            """)
      }
    }
    try settleReceipts(in: database)
  }

  /// Joins receipts to transactions that arrived after them.
  package static func settleReceipts(in database: Database) throws {
    let isEmpty = try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM unclaimed_receipts)")
    guard isEmpty == false else { return }
    let columns = StoreTable.receipts.columns.map { "\"\($0.name)\"" }.joined(separator: ", ") + ", extra"
    // One receipt per transaction. A second one stays unclaimed.
    try database.execute(
      sql: """
        CREATE TEMP TABLE claims AS
          SELECT transactions.row_id AS transaction_row, min(unclaimed_receipts.row_id) AS receipt_row
          FROM unclaimed_receipts CROSS JOIN transactions
            ON \(StoreIndex.key("transactions.id")) = \(StoreIndex.key("transaction_id"))
              AND transactions.id = transaction_id
          WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.row_id = transactions.row_id)
          GROUP BY transactions.row_id;
        INSERT INTO receipts (row_id, \(columns))
          SELECT transaction_row, \(columns) FROM claims
            JOIN unclaimed_receipts ON unclaimed_receipts.row_id = receipt_row;
        DELETE FROM unclaimed_receipts WHERE row_id IN (SELECT receipt_row FROM claims);
        DROP TABLE claims;
        """)
  }
}
