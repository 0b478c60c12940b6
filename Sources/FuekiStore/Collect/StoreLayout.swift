internal import FuekiWallet
internal import GRDB

/// The differences between a store's schema and this version's.
struct StoreLayout: Sendable {
  /// The tables of records in the store.
  ///
  /// Those of an older version lack later columns.
  private(set) var tables: [StoreTable] = []
  /// Unknown columns of record tables, with their declared types.
  private(set) var unknownColumns: [StoreTable.Name: [(name: String, type: String)]] = [:]
  /// Unknown columns of other tables, which no record can carry.
  private(set) var lostColumns: [(table: String, column: String)] = []
  /// Tables unknown to this version.
  private(set) var unknownTables: [String] = []

  /// Inspects a store's schema.
  ///
  /// - Throws: ``StoreError/newer(schema:path:)`` if a newer version removed columns, or
  ///   ``StoreError/notAStore(path:)``.
  init(of database: Database, path: String) throws {
    let schema = try StoreConnection.schemaVersion(of: database, path: path)
    func require(_ holds: Bool) throws {
      guard !holds else { return }
      throw schema > StoreSchema.version
        ? StoreError.newer(schema: schema, path: path) : StoreError.notAStore(path: path)
    }
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    unknownTables = names.filter { name in
      !StoreSchema.tableNames.contains(name) && !name.hasPrefix("sqlite_") && name != "grdb_migrations"
    }
    for table in StoreTable.all {
      let columns = try Self.columns(of: table.name.rawValue, in: database)
      let known = Set(table.declaredColumns.map { $0.name.lowercased() })
      let missing = known.subtracting(columns.map { $0.name.lowercased() })
      try require(missing.isSubset(of: StoreSchema.columns(of: table.name, addedAfter: schema)))
      tables.append(missing.isEmpty ? table : table.without(missing))
      unknownColumns[table.name] = columns.filter { !known.contains($0.name.lowercased()) }
    }
    for (_, list) in StoreTable.all.flatMap(\.lists) {
      let known: Set = ["\(list.owner)_row", "position", "\(list.element)_id"]
      let columns = try Self.columns(of: list.table, in: database).map { $0.name.lowercased() }
      try require(known.isSubset(of: columns))
      lostColumns += columns.filter { !known.contains($0) }.map { (list.table, $0) }
    }
  }

  private static func columns(
    of table: String, in database: Database
  ) throws -> [(name: String, type: String)] {
    try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table])
      .map { ($0[0], $0[1]) }
  }

  /// Returns a table as it is in the store.
  func table(_ table: StoreTable) -> StoreTable { tables.first { $0.name == table.name } ?? table }

  /// Returns the names of a record table's unknown columns.
  func unknownNames(of table: StoreTable.Name) -> [String] { unknownColumns[table]?.map(\.name) ?? [] }
}
