internal import GRDB

/// A column that a later version of the store added.
///
/// A store without it is read as if the column were empty, and opening the store for use adds it.
package struct StoreAddition: Sendable {
  /// The first version with the column.
  package let version: Int
  package let table: String
  package let column: String
  package let type: String

  /// The columns by version.
  ///
  /// A new column is a line here and one in its kind, in `Sources/FuekiWallet/Records`. The lines of a released version
  /// never change, and it gets no further ones.
  package static let all = [
    StoreAddition(version: 2, table: "files", column: "place", type: "BLOB"),
    StoreAddition(version: 2, table: "files", column: "program", type: "TEXT"),
    StoreAddition(version: 2, table: "files", column: "program_version", type: "TEXT"),
  ]

  /// Adds the column unless it exists: a restore brings back columns of newer versions.
  func make(in database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT lower(name) FROM pragma_table_info(?)", arguments: [table])
    guard !names.contains(column) else { return }
    try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \"\(column)\" \(type)")
  }
}
