internal import GRDB

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
