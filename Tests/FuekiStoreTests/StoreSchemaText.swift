import GRDB

/// All that `sqlite_master` says of a store's tables and indices, and which migrations it has gone through.
///
/// The order of a table's columns means nothing, and is left out.
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

  /// What makes a table, with its columns and constraints by their names.
  private static func unordered(_ sql: String) -> String {
    guard sql.hasPrefix("CREATE TABLE"), let parts = TableParts(sql) else { return sql }
    return parts.sql(parts.columns.sorted())
  }
}

/// The text that makes a table, cut where its columns begin and end.
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
