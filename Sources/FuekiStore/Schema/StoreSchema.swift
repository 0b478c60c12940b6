internal import GRDB

/// The store's schema, version by version.
enum StoreSchema {
  /// The version that this program makes; a store says in `meta` which one it has.
  static let version = 2

  /// "FUEK": SQLite's header field that tells this store from other databases.
  static let applicationID = 0x4655_454B

  /// The tables that the program makes, records or not.
  static let tableNames: Set<String> = Set(
    StoreTable.all.flatMap { table in [table.name.rawValue] + table.lists.map(\.list.table) }
  ).union(["meta", "marks", "price_cache", "sessions"])

  /// The columns that each version added; a store of an older one is read without them.
  static let additions = StoreSchemaV2.additions

  /// The columns of a table that stores of a version do not have yet.
  static func columns(of table: StoreTable.Name, addedAfter version: Int) -> Set<String> {
    Set(additions.filter { $0.version > version && $0.table == table.rawValue }.map(\.column))
  }

  /// The migrations; each is frozen once it was released, and none follows the tables of today.
  ///
  /// A later one must look whether a column is there before it adds it: a restore brings back the columns of
  /// newer versions.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { try StoreSchemaV1.make(in: $0) }
    // It touches no reference, and looking at those of a million rows would take seconds.
    migrator.registerMigration("v2", foreignKeyChecks: .immediate) { try StoreSchemaV2.make(in: $0) }
    return migrator
  }

  /// Notes that a database which was loaded has all migrations, as if they had run.
  static func markAsMigrated(_ database: Database) throws {
    try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    for identifier in migrator.migrations {
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [identifier])
    }
  }

  /// Makes the tables of this version without their indices, for loading.
  static func makeTables(in database: Database) throws {
    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    try database.execute(
      sql: """
        CREATE TABLE meta (
          id INTEGER PRIMARY KEY CHECK (id = 1), vault_id BLOB NOT NULL, schema INTEGER NOT NULL);
        CREATE TABLE marks (row_id INTEGER PRIMARY KEY, section INTEGER, id BLOB, problem TEXT);
        CREATE TABLE price_cache (
          asset TEXT, currency TEXT, price TEXT, fetched_at INTEGER, PRIMARY KEY (asset, currency));
        CREATE TABLE sessions (name TEXT PRIMARY KEY, value BLOB, updated_at INTEGER);
        """)
    for table in StoreTable.all { try database.execute(sql: creation(of: table)) }
    for table in StoreTable.all {
      for (_, list) in table.lists {
        // A deleted record takes its list with it; what the list names need not be in the store.
        try database.execute(
          sql: """
            CREATE TABLE \(list.table) (
              \(list.owner)_row INTEGER NOT NULL REFERENCES \(table.name.rawValue) (row_id) ON DELETE CASCADE,
              position INTEGER NOT NULL, \(list.element)_id BLOB NOT NULL,
              PRIMARY KEY (\(list.owner)_row, position)) WITHOUT ROWID
            """)
      }
    }
  }

  private static func creation(of table: StoreTable) -> String {
    let columns = table.declaredColumns.map { column in
      switch column.name {
      case "row_id" where table.rowParent != nil:
        "row_id INTEGER PRIMARY KEY REFERENCES \(table.rowParent?.rawValue ?? "") (row_id) ON DELETE CASCADE"
      case "row_id": "row_id INTEGER PRIMARY KEY"
      default: "\"\(column.name)\" \(column.type)\(reference(of: column.name, in: table))"
      }
    }
    return "CREATE TABLE \(table.name.rawValue) (\(columns.joined(separator: ", ")))"
  }

  private static func reference(of column: String, in table: StoreTable) -> String {
    guard let parent = table.parents.first(where: { "\($0.column)_row" == column })?.parent else { return "" }
    return " REFERENCES \(parent.rawValue) (row_id) ON DELETE CASCADE"
  }

  /// Makes the indices; each serves the queries that its comment names.
  static func makeIndices(in database: Database) throws {
    for index in StoreIndex.all { try database.execute(sql: index.sql) }
  }
}
