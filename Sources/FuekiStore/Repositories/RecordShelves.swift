internal import FoundationEssentials
internal import FuekiSQLite
package import FuekiWallet
package import GRDB

/// All records of a kind in a database: in its table and, if they share their parents' rows, in that of the records
/// without a parent's row.
package struct RecordShelves<Record: SectionRecord>: Sendable {
  private let shelves: [RecordShelf<Record>]

  package init() {
    shelves = Record.kind.tables.map { RecordShelf(StoreTable.named(StoreTable.Name($0))) }
  }

  /// The kind's own table.
  private var table: StoreTable { StoreTable.of(Record.self) }

  /// Returns the stretches of a query, each from its beginning, in order.
  private func stretches(of query: Query<Record>) -> [(
    shelf: RecordShelf<Record>, text: QueryText, place: Int
  )] {
    shelves.flatMap { shelf in
      let text = QueryText(query, in: shelf.table)
      return (0..<text.stretchCount).map { (shelf, text, $0) }
    }
  }

  /// Returns the statements of a query, for a look at their plans.
  package func statements(of query: Query<Record>, in database: Database) throws -> [Statement] {
    try stretches(of: query).map { shelf, text, place in
      let stretch = text.stretch(place, after: nil, limit: 9)
      let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(shelf.sql(stretch.rest))")
      try statement.setArguments(StatementArguments(stretch.arguments))
      return statement
    }
  }

  /// Returns some of a query's records, from a place on or from its beginning.
  func page(
    _ query: Query<Record>, limit: Int, after start: PageCursor?, in database: Database
  ) throws -> Page<Record> {
    var records: [Record] = []
    var last: PageCursor?
    for (number, (shelf, text, place)) in stretches(of: query).enumerated()
    where number >= start?.stretch ?? 0 {
      // One more says whether there is a next page.
      let wanted = limit == .max ? limit : limit - records.count + 1
      let from = start.flatMap { $0.stretch == number ? ($0.value, $0.row) : nil }
      let stretch = text.stretch(place, after: from, limit: wanted)
      var row: Int64?
      var isFull = false
      try shelf.forEachRow(stretch.rest, StatementArguments(stretch.arguments), in: database) {
        guard records.count < limit else { return isFull = true }
        row = $0
        records.append(try shelf.record($1, row: $0))
      }
      if let row {
        let value = try stretch.column.flatMap { try shelf.value(of: $0, row: row, in: database) }
        last = PageCursor(stretch: number, value: value ?? 0, row: row)
      }
      if isFull { return Page(records, next: last) }
    }
    return Page(records, next: nil)
  }

  /// Returns the number of a query's records.
  func count(_ query: Query<Record>, in database: Database) throws -> Int {
    try shelves.reduce(0) { sum, shelf in
      let text = QueryText(query, in: shelf.table)
      let sql = "SELECT count(*) FROM \(shelf.table.name.rawValue) WHERE \(text.condition)"
      let arguments = StatementArguments(text.arguments)
      return try sum + (Int.fetchOne(database, sql: sql, arguments: arguments) ?? 0)
    }
  }

  /// Removes a query's records and all their children.
  ///
  /// - Returns: whether there were any.
  func delete(_ query: Query<Record>, in database: Database) throws -> Bool {
    var isAny = false
    for shelf in shelves {
      let text = QueryText(query, in: shelf.table)
      try database.execute(
        sql: "DELETE FROM \(shelf.table.name.rawValue) WHERE \(text.condition)",
        arguments: StatementArguments(text.arguments))
      if database.changesCount > 0 { isAny = true }
    }
    return isAny
  }

  /// Adds records, or replaces those with their ids, and joins them to what belongs to them.
  func save(_ records: [Record], in database: Database) throws {
    if table.rowParent != nil {
      let placer = try ReceiptPlacer(in: database)
      for record in records {
        try remove(record, in: database)
        try placer.place(record)
      }
    } else {
      for shelf in shelves { try shelf.save(records, in: database) }
    }
    if ParentRows.areNoted(of: table.name) {
      try ParentClaims.settle(in: database)
    } else if StoreTable.all.contains(where: { $0.rowParent == table.name }) {
      try ParentClaims.settleReceipts(in: database)
    }
  }

  /// Removes the receipts of a transaction with a receipt's own id.
  private func remove(_ record: Record, in database: Database) throws {
    for shelf in shelves {
      let text = QueryText(Query<Record>.one(record.recordID), in: shelf.table)
      let id = record.id.isEmpty ? DatabaseValue.null : record.id.databaseValue
      try database.execute(
        sql:
          "DELETE FROM \(shelf.table.name.rawValue) WHERE \(text.condition) AND id IS ?\(text.arguments.count + 1)",
        arguments: StatementArguments(text.arguments + [id]))
    }
  }

  /// Changes the record with an id, the first if there are several.
  ///
  /// - Returns: the changed record.
  /// - Throws: ``StoreError/noRecord(table:)``, ``StoreError/invalid(table:problems:)``, errors of `change`.
  func update(_ id: RecordID, in database: Database, _ change: (inout Record) throws -> Void) throws -> Record
  {
    guard let record = try page(.one(id), limit: 1, after: nil, in: database).records.first else {
      throw StoreError.noRecord(table: table.name.rawValue)
    }
    var changed = record
    try change(&changed)
    try Self.check(changed)
    guard changed.id == record.id, changed.recordID == id else {
      throw StoreError.invalid(table: table.name.rawValue, problems: ["the id is another one"])
    }
    try save([changed], in: database)
    return changed
  }

  /// Throws ``StoreError/invalid(table:problems:)`` unless a record keeps its kind's rules.
  static func check(_ record: Record) throws {
    let problems = RecordValidation.brokenRules(of: record)
    guard problems.isEmpty else {
      throw StoreError.invalid(table: StoreTable.of(Record.self).name.rawValue, problems: problems)
    }
  }
}

extension RecordShelf {
  /// Returns the number in a row's column.
  fileprivate func value(of column: String, row: Int64, in database: Database) throws -> Int64? {
    let sql = "SELECT \(SQLName.quoted(column)) FROM \(table.name.rawValue) WHERE row_id = ?"
    return try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [row])
  }
}
