internal import FoundationEssentials
internal import FuekiWallet
internal import GRDB

/// Inserts decoded records into their table; used on the thread that has the database.
final class RecordInserter {
  private let table: StoreTable
  private let statement: Statement
  private let assignments: String
  private let lists: [Statement]
  private let parents: ParentRows
  private let parentOfSlot: [StoreTable.Name?]
  private let database: Database
  private var arguments: [DatabaseValue] = []

  /// Prepares the statements; the tables of one load share what finds the rows of parents.
  init(
    _ table: StoreTable, unknownColumns: [String] = [], parents: ParentRows, in database: Database
  ) throws {
    self.table = table
    self.database = database
    self.parents = parents
    var parentOfSlot: [StoreTable.Name?] = []
    var names: [String] = []
    var values: [String] = []
    if table.name == .receipts {
      names.append("row_id")
      values.append("?")
    }
    for column in table.columns {
      switch column.content {
      case .list: continue
      case .parent(let parent):
        parentOfSlot.append(parent)
        names += ["\(column.name)_row", "\(column.name)_id"]
        values += ["?", "?"]
      // A text with U+0000 comes as bytes.
      case .text, .optionalText:
        names.append("\"\(column.name)\"")
        values.append("CAST(? AS TEXT)")
        parentOfSlot.append(nil)
      default:
        names.append("\"\(column.name)\"")
        values.append("?")
        parentOfSlot.append(nil)
      }
    }
    names += ["extra"] + unknownColumns.map(SQLName.quoted)
    values += ["?"] + unknownColumns.map { _ in "?" }
    self.parentOfSlot = parentOfSlot + unknownColumns.map { _ in nil } + [nil]
    statement = try database.makeStatement(
      sql: """
        INSERT INTO \(table.name.rawValue) (\(names.joined(separator: ", ")))
        VALUES (\(values.joined(separator: ", ")))
        """)
    assignments = zip(names, values).map { "\($0) = \($1)" }.joined(separator: ", ")
    lists = try table.lists.map { _, list in
      try database.makeStatement(
        sql: """
          INSERT INTO \(list.table) (\(list.owner)_row, position, \(list.element)_id) VALUES (?, ?, ?)
          """)
    }
  }

  /// Inserts one record and returns its row; only receipts are told theirs.
  @discardableResult
  func insert(_ record: ArraySlice<DatabaseValue>, at row: Int64? = nil) throws -> Int64 {
    arguments.removeAll(keepingCapacity: true)
    if let row { arguments.append(row.databaseValue) }
    try appendArguments(of: record)
    try statement.execute(arguments: StatementArguments(arguments))
    return row ?? database.lastInsertedRowID
  }

  private func appendArguments(of record: ArraySlice<DatabaseValue>) throws {
    for (place, value) in zip(parentOfSlot.indices, record) {
      guard let parent = parentOfSlot[place] else {
        arguments.append(value)
        continue
      }
      let parentRow = try parents.row(of: value, in: parent, database)
      arguments.append(parentRow?.databaseValue ?? .null)
      arguments.append(parentRow == nil ? value : .null)
    }
  }

  /// Puts a record in the place of the one that a row holds; the row stays, and with it its children.
  func update(_ records: DecodedRecords, at row: Int64) throws {
    precondition(records.count == 1 && table.name != .receipts, "one record for one row that may change")
    arguments.removeAll(keepingCapacity: true)
    try appendArguments(of: records.record(0))
    arguments.append(row.databaseValue)
    try database.execute(
      sql: "UPDATE \(table.name.rawValue) SET \(assignments) WHERE row_id = ?",
      arguments: StatementArguments(arguments))
    for (_, list) in table.lists {
      try database.execute(sql: "DELETE FROM \(list.table) WHERE \(list.owner)_row = ?", arguments: [row])
    }
    try insertLists(of: records, record: 0, from: 0, at: row)
  }

  /// Inserts all records of a block, with their lists.
  func insert(_ records: DecodedRecords) throws {
    var next = 0
    for place in 0..<records.count {
      let record = records.record(place)
      let row = try insert(record)
      if let identity = ParentRows.identitySlot(of: table.name) {
        parents.note(record[record.startIndex + identity], row, in: table.name)
      }
      next = try insertLists(of: records, record: place, from: next, at: row)
    }
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
