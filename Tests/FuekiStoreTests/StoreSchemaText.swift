import GRDB

/// A store's tables and indices according to `sqlite_master`, and its applied migrations.
///
/// Column order is insignificant, and normalised.
struct StoreSchemaText: Equatable {
  let entries: [[String]]
  let migrations: [String]
  let header: [[DatabaseValue]]

  init(_ directory: String) throws {
    entries = try rows(
      directory,
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE '%grdb%' ORDER BY type, name"
    ).map { $0.map { Self.unordered(String.fromDatabaseValue($0) ?? "") } }
    migrations = try rows(directory, "SELECT identifier FROM grdb_migrations ORDER BY identifier")
      .compactMap { String.fromDatabaseValue($0[0]) }
    header = try rows(directory, "SELECT * FROM pragma_application_id, pragma_user_version")
  }

  /// Returns a table's statement with its columns and constraints sorted by name.
  private static func unordered(_ sql: String) -> String {
    guard sql.hasPrefix("CREATE TABLE"), let parts = TableParts(sql) else { return sql }
    return parts.sql(parts.columns.sorted())
  }
}

/// A table's `CREATE TABLE` statement, split into its columns and the text around them.
struct TableParts {
  let head: Substring
  let columns: [String]
  let tail: Substring

  init?(_ sql: String) {
    guard let open = sql.firstIndex(of: "("), let close = sql.lastIndex(of: ")") else { return nil }
    head = sql[...open]
    tail = sql[close...]
    var columns = [""]
    var depth = 0
    for character in sql[sql.index(after: open)..<close] {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        columns.append("")
      } else {
        columns[columns.count - 1].append(character == "\n" ? " " : character)
      }
    }
    self.columns = columns.map { String($0.drop { $0 == " " }) }
  }

  func sql(_ columns: [String]) -> String { head + columns.joined(separator: ", ") + tail }
}
