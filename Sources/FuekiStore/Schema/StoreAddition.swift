internal import GRDB

/// A column that a version of the store added to one before it, as its migration has it: frozen with it.
struct StoreAddition: Sendable {
  /// The version that has it first.
  let version: Int
  let table: String
  let column: String
  let type: String

  /// Adds the column where it is not there.
  func make(in database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT lower(name) FROM pragma_table_info(?)", arguments: [table])
    guard !names.contains(column) else { return }
    try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \"\(column)\" \(type)")
  }
}
