internal import GRDB

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
