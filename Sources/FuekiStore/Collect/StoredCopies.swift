internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB

/// The rows of a store whose records a source brings with the same contents: copies that an earlier restore made.
struct StoredCopies {
  private let snapshots: StoreSnapshots
  private let sourced: SourcedRecords
  /// The transactions among them, whose receipts have their rows.
  private var transactions: Set<Int64> = []

  init(_ snapshots: StoreSnapshots, _ sourced: SourcedRecords) {
    self.snapshots = snapshots
    self.sourced = sourced
  }

  /// The rows of a table that are copies; of files ``StoredFiles`` finds them.
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

  /// The rows that some queries find, or those of the sources' ids.
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
