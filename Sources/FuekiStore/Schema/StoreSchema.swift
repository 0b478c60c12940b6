internal import GRDB

/// The store's schema, version by version.
package enum StoreSchema {
  /// The version that this program creates.
  ///
  /// A store states its version in `meta`.
  package static let version = laterVersions.last ?? 1

  /// The versions after the first, which add columns and indices, ascending.
  private static let laterVersions = Set(
    StoreAddition.all.map(\.version) + StoreIndex.all.map(\.version).filter { $0 > 1 }
  ).sorted()

  /// "FUEK": SQLite's header field that identifies this store.
  static let applicationID = 0x4655_454B

  /// All tables that the program creates, with or without records.
  static let tableNames: Set<String> = Set(
    StoreTable.all.flatMap { table in [table.name.rawValue] + table.lists.map(\.list.table) }
  ).union(["meta", "marks", "price_cache", "sessions"])

  /// Returns the columns of a table missing from stores of a version.
  static func columns(of table: StoreTable.Name, addedAfter version: Int) -> Set<String> {
    Set(StoreAddition.all.filter { $0.version > version && $0.table == table.rawValue }.map(\.column))
  }

  /// The migrations.
  ///
  /// Each is frozen once released, and is independent of the current tables.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { try StoreSchemaV1.make(in: $0) }
    for version in laterVersions {
      // It changes no reference, and checking those of a million rows would take seconds.
      migrator.registerMigration("v\(version)", foreignKeyChecks: .immediate) { database in
        for addition in StoreAddition.all where addition.version == version {
          try addition.make(in: database)
        }
        for index in StoreIndex.all where index.version == version { try database.execute(sql: index.sql) }
        try database.execute(
          sql: "UPDATE meta SET schema = ?1 WHERE schema < ?1", arguments: [version])
      }
    }
    return migrator
  }

  /// Records all migrations as done in a loaded database.
  static func markAsMigrated(_ database: Database) throws {
    try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    for identifier in migrator.migrations {
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [identifier])
    }
  }

  /// Creates this version's tables without indices, for loading.
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
        // A deleted record deletes its list. The list's ids may refer to records outside the store.
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
}
