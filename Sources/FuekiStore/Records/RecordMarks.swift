internal import FoundationEssentials
internal import FuekiWallet
internal import GRDB

/// Stored records that break their chain's rules.
enum RecordMarks {
  static func all(
    in database: Database
  ) throws -> [(section: Section, id: Data, problem: String)] {
    // In SQLite, any column may hold a value of any type.
    let sql = """
      SELECT CAST(section AS INTEGER), CAST(id AS BLOB), CAST(problem AS TEXT) FROM marks ORDER BY row_id
      """
    return try Row.fetchAll(database, sql: sql).compactMap { row in
      let number: Int64? = row[0]
      guard let section = number.flatMap({ UInt16(exactly: $0) }).flatMap(Section.init) else { return nil }
      return (section, row[1] ?? Data(), row[2] ?? "")
    }
  }

  static func add(_ problem: RecordProblem, in database: Database) throws {
    try database.execute(
      sql: "INSERT INTO marks (section, id, problem) VALUES (?, ?, ?)",
      arguments: [Int64(problem.section), problem.id, problem.problem])
  }
}
