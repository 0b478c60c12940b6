internal import GRDB

/// The store's schema, version by version.
enum StoreSchema {
  /// The version that this program creates.
  ///
  /// A store states its version in `meta`.
  static let version = 2

  /// "FUEK": SQLite's header field that identifies this store.
  static let applicationID = 0x4655_454B

  /// All tables that the program creates, with or without records.
  static let tableNames: Set<String> = Set(
    StoreTable.all.flatMap { table in [table.name.rawValue] + table.lists.map(\.list.table) }
  ).union(["meta", "marks", "price_cache", "sessions"])

  /// The columns added by each version.
  ///
  /// An older store is read without them.
  static let additions = StoreSchemaV2.additions

  /// Returns the columns of a table missing from stores of a version.
  static func columns(of table: StoreTable.Name, addedAfter version: Int) -> Set<String> {
    Set(additions.filter { $0.version > version && $0.table == table.rawValue }.map(\.column))
  }

  /// The migrations.
  ///
  /// Each is frozen once released, and is independent of the current tables.
  ///
  /// A later migration must check whether a column exists before adding it, because a restore brings back
  /// columns of newer versions.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { try StoreSchemaV1.make(in: $0) }
    // It changes no reference, and checking those of a million rows would take seconds.
    migrator.registerMigration("v2", foreignKeyChecks: .immediate) { try StoreSchemaV2.make(in: $0) }
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

  /// Creates the indices.
  ///
  /// Each serves the queries in its comment.
  static func makeIndices(in database: Database) throws {
    for index in StoreIndex.all { try database.execute(sql: index.sql) }
  }
}

/// Version 2 of the store exactly as released: a file's place and its program.
///
/// It never changes, like ``StoreSchemaV1``.
enum StoreSchemaV2 {
  static let additions = [
    StoreAddition(version: 2, table: "files", column: "place", type: "BLOB"),
    StoreAddition(version: 2, table: "files", column: "program", type: "TEXT"),
    StoreAddition(version: 2, table: "files", column: "program_version", type: "TEXT"),
  ]

  /// Adds the missing columns.
  ///
  /// A restore of newer data may have added one already.
  static func make(in database: Database) throws {
    for addition in additions { try addition.make(in: database) }
    try database.execute(sql: "UPDATE meta SET schema = 2 WHERE schema < 2")
  }
}

/// A column that a store version added, as its migration defines it.
///
/// It never changes.
struct StoreAddition: Sendable {
  /// The first version with the column.
  let version: Int
  let table: String
  let column: String
  let type: String

  /// Adds the column if it is missing.
  func make(in database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT lower(name) FROM pragma_table_info(?)", arguments: [table])
    guard !names.contains(column) else { return }
    try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \"\(column)\" \(type)")
  }
}
