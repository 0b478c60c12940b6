internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB

/// Finds a store's rows that equal a source's records: copies made by an earlier restore.
struct StoredCopies {
  private let snapshots: StoreSnapshots
  private let sourced: SourcedRecords
  /// The copied transactions, whose receipts share their rows.
  private var transactions: Set<Int64> = []

  init(_ snapshots: StoreSnapshots, _ sourced: SourcedRecords) {
    self.snapshots = snapshots
    self.sourced = sourced
  }

  /// Returns the rows of a table that are copies.
  ///
  /// For files, ``StoredFiles`` does this.
  mutating func rows(of table: StoreTable) throws -> Set<Int64> {
    guard sourced.has(table.section), !table.kind.traits.contains(.inParts) else { return [] }
    let found: Set<Int64>
    if table.rowParent != nil {
      found = try rows(of: table, table.recordType, transactions.map { (Self.byRow(table), [$0]) })
    } else if table.kind.rowParent == nil {
      found = try rows(of: table, table.recordType, nil)
    } else {
      return []
    }
    if table.name == .transactions { transactions = found }
    return found
  }

  private static func byRow(_ table: StoreTable) -> String { "WHERE \(table.name.rawValue).row_id = ?" }

  /// Returns the rows found by queries, or the rows of the sources' ids.
  private func rows<Record: SectionRecord>(
    of table: StoreTable, _: Record.Type, _ queries: [(rest: String, arguments: StatementArguments)]?
  ) throws -> Set<Int64> {
    let encoder = RowEncoder(table, unknownColumns: snapshots.layout.unknownNames(of: table.name))
    let shelf = RecordShelf<Record>(table, encoder: encoder)
    let queries = queries ?? sourced.ids(of: table.section).map { ("WHERE \(shelf.match)", [Data($0)]) }
    var found: Set<Int64> = []
    try snapshots.read { database in
      for query in queries {
        try shelf.forEachRow(query.rest, query.arguments, in: database) { row, message in
          if sourced.has(message, of: table.section) { found.insert(row) }
        }
      }
    }
    return found
  }
}
