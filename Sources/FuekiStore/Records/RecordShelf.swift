internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiSQLite
package import FuekiWallet
package import GRDB
internal import SwiftProtobuf

/// Reads and writes the records of one type in a database, as the base of every repository.
package struct RecordShelf<Record: SectionRecord>: Sendable {
  let table: StoreTable
  private let encoder: RowEncoder

  /// Creates a shelf for the type's own table.
  package init() { self.init(nil) }

  /// Creates a shelf for a table, by default the type's own.
  ///
  /// The encoder may carry unknown columns.
  init(_ table: StoreTable?, encoder: RowEncoder? = nil) {
    let table = table ?? StoreTable.of(Record.self)
    self.table = table
    self.encoder = encoder ?? RowEncoder(table)
  }

  /// Returns the records selected by the end of a query.
  package func fetch(_ rest: String, _ arguments: StatementArguments, in database: Database) throws
    -> [Record]
  {
    var records: [Record] = []
    try forEachRow(rest, arguments, in: database) { records.append(try record($1, row: $0)) }
    return records
  }

  /// Passes the rows selected by the end of a query to `body`, each encoded as in a section.
  func forEachRow(
    _ rest: String, _ arguments: StatementArguments, in database: Database,
    _ body: (_ row: Int64, _ message: [UInt8]) throws -> Void
  ) throws {
    let statement = try database.cachedStatement(sql: encoder.sql(rest))
    try statement.setArguments(arguments)
    let parents = ParentIDs(in: database)
    var message: [UInt8] = []
    try PreparedRows.forEach(of: statement) { row in
      let number = row.integer(0) ?? 0
      message.removeAll(keepingCapacity: true)
      try encoder.append(row, lists: try lists(of: number, in: database), parents: parents, to: &message)
      try body(number, message)
    }
  }

  /// Decodes a row's record.
  func record(_ message: [UInt8], row: Int64) throws -> Record {
    do {
      return try Record(serializedBytes: message)
    } catch {
      throw StoreError.malformedRow(table: table.name.rawValue, row: row)
    }
  }

  /// Returns the record with an id or a setting's key.
  package func fetch(_ id: DatabaseValue, in database: Database) throws -> Record? {
    try fetch("WHERE \(match) LIMIT 1", [id], in: database).first
  }

  /// Returns the row of the record with an id.
  func row(of id: DatabaseValue, in database: Database) throws -> Int64? {
    let sql = "SELECT row_id FROM \(table.name.rawValue) WHERE \(match) LIMIT 1"
    return try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [id])
  }

  /// Returns the query for the rows that its end selects.
  func sql(_ rest: String) -> String { encoder.sql(rest) }

  /// Inserts new records.
  package func insert(_ records: [Record], in database: Database) throws {
    let inserter = try RecordInserter(table, parents: ParentRows(looksUp: true), in: database)
    try inserter.insert(try decode(records))
  }

  /// Inserts a record or replaces the one with its id.
  package func save(_ record: Record, in database: Database) throws { try save([record], in: database) }

  /// Inserts records or replaces those with their ids.
  ///
  /// Unknown columns keep their values.
  func save(_ records: [Record], in database: Database) throws {
    let inserter = try RecordInserter(table, parents: ParentRows(looksUp: true), in: database)
    var new: [Record] = []
    var ids: Set<Data> = []
    for record in records {
      // A second record with an id replaces the first.
      if ids.contains(record.id) {
        try inserter.insert(try decode(new))
        (new, ids) = ([], [])
      }
      if let row = try row(of: record, in: database) {
        try inserter.update(try decode([record]), at: row)
      } else {
        new.append(record)
        if !record.id.isEmpty { ids.insert(record.id) }
      }
    }
    if !new.isEmpty { try inserter.insert(try decode(new)) }
  }

  /// Returns the row of the record with a record's id or, if it is a part, with its id and offset.
  private func row(of record: Record, in database: Database) throws -> Int64? {
    guard !record.id.isEmpty else { return nil }
    guard let part = record as? FilePart else { return try row(of: record.id.databaseValue, in: database) }
    let sql = "SELECT row_id FROM files WHERE id = ? AND coalesce(offset, 0) = ? LIMIT 1"
    return try Int64.fetchOne(
      database.cachedStatement(sql: sql), arguments: [part.id, Int64(bitPattern: part.offset)])
  }

  /// The condition for one record by its identity, spelled as in the index.
  var match: String {
    let column = "\(table.name.rawValue).\(table.identity)"
    if table.kind.traits.contains(.abundant) {
      return "\(StoreIndex.key(column)) = \(StoreIndex.key("?1")) AND \(column) = ?1"
    }
    return table.hasTextIdentity ? "\(column) = CAST(?1 AS TEXT)" : "\(column) = ?1"
  }

  func decode(_ records: [Record]) throws -> DecodedRecords {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for record in records {
      let start = bytes.count
      bytes += try record.serializedBytes() as [UInt8]
      ranges.append(start..<bytes.count)
    }
    return try RecordDecoder(table).decode(bytes, ranges)
  }

  private func lists(of row: Int64, in database: Database) throws -> [[[UInt8]]] {
    try table.lists.map { _, list in
      let sql = "SELECT \(list.element)_id FROM \(list.table) WHERE \(list.owner)_row = ? ORDER BY position"
      return try Data.fetchAll(database.cachedStatement(sql: sql), arguments: [row]).map { [UInt8]($0) }
    }
  }
}
