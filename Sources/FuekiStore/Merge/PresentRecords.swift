internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB

/// A record of the destination.
struct PresentRecord {
  /// The record's row, negated for a receipt without a transaction.
  let row: Int64
  /// The record, encoded as in a section.
  let message: [UInt8]
}

/// The existing records of one kind, found by id or by another identity.
final class PresentRecords<Record: SectionRecord> {
  let shelf: RecordShelf<Record>
  private let unclaimed: RecordShelf<Record>?
  private let database: Database
  private lazy var byNaturalKey = Result { try indexed() }

  /// Reads a table as it is in the store, with columns of newer versions.
  init(_ table: StoreTable, unknownColumns: (StoreTable.Name) -> [String], in database: Database) {
    self.database = database
    shelf = RecordShelf(table, encoder: RowEncoder(table, unknownColumns: unknownColumns(table.name)))
    let columns = unknownColumns(.unclaimedReceipts)
    unclaimed =
      table.name == .receipts
      ? RecordShelf(.unclaimedReceipts, encoder: RowEncoder(.unclaimedReceipts, unknownColumns: columns))
      : nil
  }

  /// Returns the records with an id.
  ///
  /// There are several only if a source had them.
  func withID(_ id: Data) throws -> [PresentRecord] {
    try fetch("WHERE \(shelf.match)", [id])
  }

  /// Returns the records with the same id, or likewise without one.
  func namesakes(of record: Record) throws -> [PresentRecord] {
    if let receipt = record as? Receipt {
      return try ofTransaction(receipt.transactionID).filter { try self.record($0).id == receipt.id }
    }
    if let part = record as? FilePart {
      return try fetch(
        "WHERE files.id IS ? AND coalesce(files.offset, 0) = ?",
        [part.id.isEmpty ? nil : part.id, Int64(bitPattern: part.offset)])
    }
    let id = record.id
    guard id.isEmpty else { return try withID(id) }
    guard record.naturalKey == nil else { return try counterparts(of: record) }
    let column = "\(shelf.table.name.rawValue).\(shelf.table.identity)"
    let indexed = shelf.table.kind.traits.contains(.abundant) ? StoreIndex.key(column) : column
    return try fetch("WHERE \(indexed) IS NULL AND \(column) IS NULL", [])
  }

  /// Returns the records with the same natural key, whatever their ids.
  func counterparts(of record: Record) throws -> [PresentRecord] {
    if let transaction = record as? Transaction {
      let isSame =
        "\(StoreIndex.key("transactions.hash")) = \(StoreIndex.key("?1")) AND transactions.hash = ?1"
      let spelt = try HashSpelling.all(of: transaction.hash).flatMap { try fetch("WHERE \(isSame)", [$0]) }
      return try spelt.filter { standing in
        let there = try self.record(standing)
        guard there.naturalKey == record.naturalKey, let there = there as? Transaction else { return false }
        return transaction.isOne(with: there)
      }
    }
    if let receipt = record as? Receipt { return try ofTransaction(receipt.transactionID) }
    guard let key = record.naturalKey, let rows = try byNaturalKey.get()[key] else { return [] }
    return try rows.flatMap { try fetch("WHERE \(shelf.table.name.rawValue).row_id = ?", [$0]) }
  }

  /// Returns all records, for kinds with few.
  func all() throws -> [Record] {
    try fetch("ORDER BY \(shelf.table.name.rawValue).row_id", []).map(record)
  }

  func record(_ standing: PresentRecord) throws -> Record {
    try shelf.record(standing.message, row: standing.row)
  }

  private func ofTransaction(_ id: Data) throws -> [PresentRecord] {
    guard !id.isEmpty else { return try fetch("WHERE 0", [], unclaimed: "WHERE transaction_id IS NULL") }
    // Their rows are selected, because a plain query would scan all receipts and look up each one's transaction.
    return try fetch(
      "WHERE receipts.row_id IN (\(StoreIndex.row(ofID: "?1", in: .transactions)))", [id],
      unclaimed: "WHERE \(StoreIndex.key("transaction_id")) = \(StoreIndex.key("?1")) AND transaction_id = ?1"
    )
  }

  private func fetch(
    _ rest: String, _ arguments: StatementArguments, unclaimed rest2: String? = nil
  ) throws -> [PresentRecord] {
    var found: [PresentRecord] = []
    try shelf.forEachRow(rest, arguments, in: database) { found.append(PresentRecord(row: $0, message: $1)) }
    if let unclaimed, let rest2 {
      let arguments = rest2.contains("?1") ? arguments : []
      try unclaimed.forEachRow(rest2, arguments, in: database) {
        found.append(PresentRecord(row: -$0, message: $1))
      }
    }
    return found
  }

  /// Indexes the rows by natural key on first use, for kinds with few records.
  private func indexed() throws -> [NaturalKey: [Int64]] {
    var rows: [NaturalKey: [Int64]] = [:]
    try shelf.forEachRow("ORDER BY \(shelf.table.name.rawValue).row_id", [], in: database) { row, message in
      if let key = try shelf.record(message, row: row).naturalKey { rows[key, default: []].append(row) }
    }
    return rows
  }
}
