internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB

/// The sections already in a restore's scratch database.
///
/// They are recorded in the same transaction as the records, so that both always agree.
enum StagedSections {
  private static let table = "restore_stages"
  private static let conflictTable = "restore_conflicts"
  private static let namesakeTable = "restore_namesakes"

  /// Creates the tables, which the restore removes at its end.
  static func prepare(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          section INTEGER PRIMARY KEY, added INTEGER NOT NULL, equal INTEGER NOT NULL, differing INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS \(conflictTable) (
          number INTEGER PRIMARY KEY, section INTEGER NOT NULL, id TEXT NOT NULL, fields TEXT NOT NULL,
          resolution TEXT NOT NULL, called TEXT, there TEXT, archived TEXT);
        CREATE TABLE IF NOT EXISTS \(namesakeTable) (
          number INTEGER PRIMARY KEY, id TEXT NOT NULL, called TEXT NOT NULL, there TEXT NOT NULL,
          archived TEXT NOT NULL);
        """)
  }

  static func note(
    _ section: Section, _ counts: MergeCounts, _ conflicts: [RestoreConflict] = [], in database: Database
  ) throws {
    try database.execute(
      sql: "INSERT INTO \(table) VALUES (?, ?, ?, ?)",
      arguments: [
        Int64(section.rawValue), Int64(counts.added), Int64(counts.equal), Int64(counts.differing),
      ])
    for conflict in conflicts {
      try database.execute(
        sql: "INSERT INTO \(conflictTable) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          Int64(conflict.section.rawValue), conflict.id, conflict.fields.joined(separator: ","),
          conflict.resolution.rawValue, conflict.address?.name, conflict.address?.there,
          conflict.address?.archived,
        ])
    }
  }

  static func note(_ namesakes: [Namesake], in database: Database) throws {
    for namesake in namesakes {
      let address = namesake.address
      try database.execute(
        sql: "INSERT INTO \(namesakeTable) VALUES (NULL, ?, ?, ?, ?)",
        arguments: [namesake.id, address.name, address.there, address.archived])
    }
  }

  static func all(in database: Database) throws -> [Section: MergeCounts] {
    var all: [Section: MergeCounts] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT section, added, equal, differing FROM \(table)") {
      let number: Int64 = row[0]
      guard let section = UInt16(exactly: number).flatMap(Section.init) else { continue }
      var counts = MergeCounts()
      counts.added = UInt64(clamping: row[1] as Int64)
      counts.equal = UInt64(clamping: row[2] as Int64)
      counts.differing = UInt64(clamping: row[3] as Int64)
      all[section] = counts
    }
    return all
  }

  static func conflicts(in database: Database) throws -> [RestoreConflict] {
    let columns = "section, id, fields, resolution, called, there, archived"
    let rows = try Row.fetchAll(
      database, sql: "SELECT \(columns) FROM \(conflictTable) ORDER BY number")
    return rows.compactMap { row in
      let number: Int64 = row[0]
      guard let section = UInt16(exactly: number).flatMap(Section.init),
        let resolution = RestoreConflict.Resolution(rawValue: row[3])
      else { return nil }
      let fields = (row[2] as String).split(separator: ",").map(String.init)
      return RestoreConflict(
        section: section, id: row[1], fields: fields, resolution: resolution, address: address(in: row))
    }
  }

  static func namesakes(in database: Database) throws -> [Namesake] {
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, called, there, archived FROM \(namesakeTable) ORDER BY number")
    return rows.map { Namesake(id: $0[0], address: .init(name: $0[1], there: $0[2], archived: $0[3])) }
  }

  private static func address(in row: Row) -> RestoreConflict.Address? {
    guard let name: String = row[4], let there: String = row[5], let archived: String = row[6] else {
      return nil
    }
    return RestoreConflict.Address(name: name, there: there, archived: archived)
  }

  /// Removes every trace of the restore.
  static func remove(in database: Database) throws {
    for table in [table, conflictTable, namesakeTable, MergedNames.table, MergedNames.shareTable] {
      try database.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
  }
}
