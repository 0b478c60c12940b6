internal import FuekiSQLite
internal import FuekiWallet
internal import GRDB

/// Inserts records into their table, on the thread that has the database.
final class RecordInserter {
  /// A statement that inserts a list's entry.
  private final class ListInsertion {
    var statement: SQLStatement

    init(_ list: StoreList, in database: Database) throws {
      statement = try SQLStatement(
        "INSERT INTO \(list.table) (\(list.owner)_row, position, \(list.element)_id) VALUES (?, ?, ?)",
        in: database)
    }
  }

  /// A statement that inserts many records.
  private final class BlockInsertion {
    let records: MemoryTable
    var statement: SQLStatement

    init(_ steps: RecordSteps, in database: Database) throws {
      let name = "loaded_\(steps.table.name.rawValue)"
      records = try MemoryTable(name, in: database)
      let values = steps.names.indices.map { "c\($0)" }.joined(separator: ", ")
      statement = try SQLStatement(
        "\(steps.insertion(of: steps.names.map(SQLName.quoted))) SELECT \(values) FROM \(name)", in: database)
    }
  }

  let steps: RecordSteps
  private let binding: RecordBinding
  private let identity: Int?
  private let parents: ParentRows
  private let database: Database
  private let lists: [ListInsertion]
  private let block: BlockInsertion?
  private var atEnd: SQLStatement
  private var atRow: SQLStatement
  private var updating: SQLStatement?

  /// Prepares for a table.
  ///
  /// The tables of one load share the lookup of parents' rows.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - unknownColumns: the table's columns that this version does not know.
  ///   - parents: the rows of parents.
  ///   - isLoad: whether many records are inserted at a time. A connection has one such inserter for a table.
  ///   - database: the connection.
  /// - Throws: ``StatementError``.
  init(
    _ table: StoreTable, unknownColumns: [String] = [], parents: ParentRows, isLoad: Bool = false,
    in database: Database
  ) throws {
    self.database = database
    self.parents = parents
    steps = RecordSteps(table, unknownColumns: unknownColumns)
    binding = RecordBinding(steps)
    identity = ParentRows.areNoted(of: table.name) ? steps.slot(of: table.identity) : nil
    lists = try table.lists.map { try ListInsertion($0.list, in: database) }
    let names = steps.names.map(SQLName.quoted)
    let steps = steps
    func insertion(_ columns: [String]) -> String {
      let places = (1...columns.count).map { "?\($0)" }
      return "\(steps.insertion(of: columns)) VALUES (\(places.joined(separator: ", ")))"
    }
    let isPlain = identity == nil && lists.isEmpty && names.count <= MemoryTable.columnCount
    block = isLoad && isPlain ? try BlockInsertion(steps, in: database) : nil
    atEnd = try SQLStatement(insertion(names), in: database)
    atRow = try SQLStatement(insertion(names + ["row_id"]), in: database)
  }

  /// Inserts all records of a block with their lists.
  func insert(_ bound: BoundRecords) throws {
    let records = bound.records
    guard block == nil else { return try insert(records, 0..<records.count) }
    var next = 0
    for record in 0..<records.count {
      try records.run(&atEnd, record, count: steps.columnCount)
      guard identity != nil || !lists.isEmpty else { continue }
      let row = database.lastInsertedRowID
      if let id = identity.flatMap({ records.bytes(record, $0) }) {
        parents.note(id, row, in: steps.table.name)
      }
      next = try insertLists(of: records, record, from: next, at: row)
    }
  }

  /// Inserts decoded records, and looks up their parents.
  func insert(_ records: DecodedRecords) throws {
    try insert(try bind(records))
  }

  /// Inserts some records of a table without lists after all others.
  func insert(_ records: DecodedRecords, _ places: Range<Int>) throws {
    if let block {
      try records.run(&block.statement, of: block.records, places)
    } else {
      for place in places { try records.run(&atEnd, place, count: steps.columnCount) }
    }
  }

  /// Inserts one record of a table without parents, at a given row or after all others.
  func insert(_ records: DecodedRecords, _ record: Int, at row: Int64?) throws {
    if let row {
      try records.run(&atRow, record, count: steps.columnCount, row: row)
    } else {
      try records.run(&atEnd, record, count: steps.columnCount)
    }
  }

  /// Replaces the record at a row.
  ///
  /// The row stays, and so do its children.
  func update(_ decoded: DecodedRecords, at row: Int64) throws {
    let table = steps.table
    precondition(decoded.count == 1 && table.name != .receipts, "one record for one row that may change")
    let records = try bind(decoded).records
    if updating == nil {
      let assignments = steps.names.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }
      updating = try SQLStatement(
        """
        UPDATE \(table.name.rawValue) SET \(assignments.joined(separator: ", "))
        WHERE row_id = ?\(assignments.count + 1)
        """, in: database)
    }
    try records.run(&updating, 0, count: steps.columnCount, row: row)
    for (_, list) in table.lists {
      try database.execute(sql: "DELETE FROM \(list.table) WHERE \(list.owner)_row = ?", arguments: [row])
    }
    try insertLists(of: records, 0, from: 0, at: row)
  }

  private func bind(_ records: DecodedRecords) throws -> BoundRecords {
    try binding.bind(records) { try parents.row(of: $0, in: $1, database) }
  }

  /// Inserts one record's lists.
  ///
  /// - Returns: the index of the next record's lists.
  @discardableResult
  private func insertLists(
    of records: DecodedRecords, _ record: Int, from start: Int, at row: Int64
  ) throws -> Int {
    var next = start
    var positions = [Int64](repeating: 0, count: lists.count)
    while next < records.lists.count, records.lists[next].record == record {
      let entry = records.lists[next]
      let values: [SQLValue] = [
        .integer(row), .integer(positions[entry.list]), SQLValue(entry.id, isText: false),
      ]
      try lists[entry.list].statement.run(values.span, in: records.bytes.span)
      positions[entry.list] += 1
      next += 1
    }
    return next
  }
}

extension RecordSteps {
  /// Returns the beginning of a statement that inserts records with these columns.
  fileprivate func insertion(of columns: [String]) -> String {
    "INSERT INTO \(table.name.rawValue) (\(columns.joined(separator: ", ")))"
  }
}
