internal import GRDB

/// Version 2 of the store, word for word: where a file lay, and whose it is.
///
/// It never changes, as ``StoreSchemaV1`` does not.
enum StoreSchemaV2 {
  static let additions = [
    StoreAddition(version: 2, table: "files", column: "place", type: "BLOB"),
    StoreAddition(version: 2, table: "files", column: "program", type: "TEXT"),
    StoreAddition(version: 2, table: "files", column: "program_version", type: "TEXT"),
  ]

  /// Adds the columns that are not there yet: a restore of newer data may have brought one.
  static func make(in database: Database) throws {
    for addition in additions { try addition.make(in: database) }
    try database.execute(sql: "UPDATE meta SET schema = 2 WHERE schema < 2")
  }
}
