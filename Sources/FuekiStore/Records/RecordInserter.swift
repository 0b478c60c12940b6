internal import FoundationEssentials
internal import FuekiWallet
internal import GRDB

/// Inserts bound records into their table; used on the thread that has the database.
final class RecordInserter {
  let binding: RecordBinding
  private let lists: [Statement]
  private let parents: ParentRows
  private let database: Database
  private var statements: [InsertionPattern: Statement] = [:]
  private var last: (pattern: InsertionPattern, statement: Statement)?

  /// Prepares for a table; the tables of one load share what finds the rows of parents.
  init(
    _ table: StoreTable, unknownColumns: [String] = [], parents: ParentRows, in database: Database
  ) throws {
    self.database = database
    self.parents = parents
    binding = RecordBinding(table, unknownColumns: unknownColumns)
    lists = try table.lists.map { _, list in
      try database.makeStatement(
        sql: """
          INSERT INTO \(list.table) (\(list.owner)_row, position, \(list.element)_id) VALUES (?, ?, ?)
          """)
    }
  }

  /// Inserts all records of a block, with their lists.
  func insert(_ bound: BoundRecords) throws {
    let identity = ParentRows.identitySlot(of: binding.table.name)
    var next = 0
    for (place, row) in bound.rows.enumerated() {
      try execute(row.pattern, row.arguments)
      guard identity != nil || !lists.isEmpty else { continue }
      let inserted = database.lastInsertedRowID
      if let id = identity.flatMap({ bound.records.bytes(place, $0) }) {
        parents.note(id, inserted, in: binding.table.name)
      }
      next = try insertLists(of: bound.records, record: place, from: next, at: inserted)
    }
  }

  /// Inserts decoded records, whose parents are looked for here.
  func insert(_ records: DecodedRecords) throws {
    try insert(try binding.bind(records) { try parents.row(of: $0, in: $1, database) })
  }

  /// Inserts one record at a row that it must have, or behind all others.
  func insert(_ bound: BoundRecords.Row, at row: Int64?) throws {
    guard let row else { return try execute(bound.pattern, bound.arguments) }
    var pattern = bound.pattern
    pattern.hasRow = true
    var arguments = bound.arguments
    _ = arguments.append(contentsOf: [row])
    try execute(pattern, arguments)
  }

  private func execute(_ pattern: InsertionPattern, _ arguments: StatementArguments) throws {
    let statement = try statement(for: pattern)
    statement.setUncheckedArguments(arguments)
    try statement.execute()
  }

  private func statement(for pattern: InsertionPattern) throws -> Statement {
    if let last, last.pattern == pattern { return last.statement }
    let statement =
      try statements[pattern]
      ?? database.makeStatement(
        sql: pattern.insertion(into: binding.table, binding.slots))
    statements[pattern] = statement
    last = (pattern, statement)
    return statement
  }

  /// Puts a record in the place of the one that a row holds; the row stays, and with it its children.
  func update(_ records: DecodedRecords, at row: Int64) throws {
    let table = binding.table
    precondition(records.count == 1 && table.name != .receipts, "one record for one row that may change")
    var arguments: [(any DatabaseValueConvertible)?] = []
    var assignments: [String] = []
    for (place, slot) in binding.slots.enumerated() {
      let value = records.value(0, place, isText: slot.isText)
      if let parent = slot.parent {
        let parentRow = try Data.fromDatabaseValue(value).flatMap {
          try parents.row(of: $0, in: parent, database)
        }
        assignments += ["\(slot.name)_row = ?", "\(slot.name)_id = ?"]
        arguments += [parentRow, parentRow == nil ? value : nil]
      } else {
        assignments.append("\(slot.name) = \(slot.isText ? "CAST(? AS TEXT)" : "?")")
        arguments.append(value)
      }
    }
    arguments.append(row)
    try database.execute(
      sql: "UPDATE \(table.name.rawValue) SET \(assignments.joined(separator: ", ")) WHERE row_id = ?",
      arguments: StatementArguments(arguments))
    for (_, list) in table.lists {
      try database.execute(sql: "DELETE FROM \(list.table) WHERE \(list.owner)_row = ?", arguments: [row])
    }
    try insertLists(of: records, record: 0, from: 0, at: row)
  }

  /// Inserts one record's lists.
  ///
  /// - Returns: where the next record's begin.
  @discardableResult
  private func insertLists(
    of records: DecodedRecords, record: Int, from start: Int, at row: Int64
  ) throws -> Int {
    var next = start
    var positions = [Int](repeating: 0, count: lists.count)
    while next < records.lists.count, records.lists[next].record == record {
      let entry = records.lists[next]
      try lists[entry.list].execute(arguments: [row, positions[entry.list], entry.id])
      positions[entry.list] += 1
      next += 1
    }
    return next
  }
}
