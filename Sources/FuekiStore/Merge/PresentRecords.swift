internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB

/// A record that the destination has.
struct PresentRecord {
  /// Its row; of a receipt that no transaction has, the row with a minus before it.
  let row: Int64
  /// It, encoded as in a section.
  let message: [UInt8]
}

/// The records of one kind that a destination has, looked up by id or by what else tells which one it is.
final class PresentRecords<Record: SectionRecord> {
  let shelf: RecordShelf<Record>
  private let unclaimed: RecordShelf<Record>?
  private let database: Database
  private lazy var byNaturalKey = Result { try indexed() }

  /// Looks into a table, as it is in the store, whose schema has these columns of newer versions.
  init(_ table: StoreTable, unknownColumns: (StoreTable.Name) -> [String], in database: Database) {
    self.database = database
    shelf = RecordShelf(table, encoder: RowEncoder(table, unknownColumns: unknownColumns(table.name)))
    let columns = unknownColumns(.unclaimedReceipts)
    unclaimed =
      table.name == .receipts
      ? RecordShelf(.unclaimedReceipts, encoder: RowEncoder(.unclaimedReceipts, unknownColumns: columns))
      : nil
  }

  /// The records with an id; several only where a source had them.
  func withID(_ id: Data) throws -> [PresentRecord] {
    try fetch("WHERE \(shelf.match)", [id])
  }

  /// The records that have a record's id, or that have none as it has.
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

  /// The records that are the same thing by their natural key, whatever their ids.
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

  /// All of them, of kinds of which a person has few.
  func all() throws -> [Record] {
    try fetch("ORDER BY \(shelf.table.name.rawValue).row_id", []).map(record)
  }

  func record(_ standing: PresentRecord) throws -> Record {
    try shelf.record(standing.message, row: standing.row)
  }

  private func ofTransaction(_ id: Data) throws -> [PresentRecord] {
    guard !id.isEmpty else { return try fetch("WHERE 0", [], unclaimed: "WHERE transaction_id IS NULL") }
    return try fetch(
      ReceiptShelves.ofTransaction, [id],
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

  /// The rows by natural key, of kinds of which a person has few, made when the first is looked for.
  private func indexed() throws -> [NaturalKey: [Int64]] {
    var rows: [NaturalKey: [Int64]] = [:]
    try shelf.forEachRow("ORDER BY \(shelf.table.name.rawValue).row_id", [], in: database) { row, message in
      if let key = try shelf.record(message, row: row).naturalKey { rows[key, default: []].append(row) }
    }
    return rows
  }
}
