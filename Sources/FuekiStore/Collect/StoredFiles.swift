internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import GRDB

/// A file of a store that cannot be restored, because parts are missing or contradictory.
struct BrokenFile: Sendable {
  let id: [UInt8]
  /// The file's place or name.
  let place: [UInt8]
}

/// Selects the rows of a store's files for a backup: each file once, except those that a source provides.
///
/// A restored store has copies of other programs' files, and one restored from an archive of version 0.2.0
/// may have a file twice.
struct StoredFiles {
  /// The excluded rows.
  private(set) var leftOut: Set<Int64> = []
  /// The new ids of rows whose file shares its id with a file in another place.
  private(set) var ids: [Int64: [UInt8]] = [:]
  /// The files with missing or contradictory parts, which are included as they are.
  private(set) var broken: [BrokenFile] = []
  /// The included files that differ from what lies in their places.
  private(set) var stale = StaleCopies()
  /// The places of the included files, or their paths.
  private(set) var names: [[UInt8]] = []
  private let carried: CarriedCopies?

  private struct Key: Hashable {
    let id: Data
    let source: String
    let path: Data
  }

  private struct Part {
    let row: Int64
    let offset: UInt64
    let total: UInt64
    let count: UInt64
  }

  private struct File {
    var parts: [Part] = []
    var place: Data?
  }

  /// Reads the table's columns except the contents.
  init(
    _ table: StoreTable, in database: Database, beside sourced: SourcedRecords,
    comparing carried: CarriedCopies?
  ) throws {
    self.carried = carried
    func column(_ name: String) -> String {
      table.columns.contains { $0.name == name } ? "\"\(name)\"" : "NULL"
    }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT row_id, id, source, path, coalesce("offset", 0), coalesce(total, 0), coalesce(length(content), 0),
        \(column("place")) FROM files ORDER BY row_id
        """)
    var order: [Key] = []
    var files: [Key: File] = [:]
    while let row = try rows.next() {
      let key = Key(id: row[1] ?? Data(), source: row[2] ?? "", path: row[3] ?? Data())
      if files[key] == nil { order.append(key) }
      let (offset, total, count): (Int64, Int64, Int64) = (row[4], row[5], row[6])
      let part = Part(
        row: row[0], offset: UInt64(bitPattern: offset), total: UInt64(bitPattern: total),
        count: UInt64(bitPattern: count))
      files[key, default: File()].parts.append(part)
      // Only the first part has it.
      if let place: Data = row[7] { files[key]?.place = place }
    }
    // Records without an id belong to no file.
    for key in order where !key.id.isEmpty {
      if let file = files[key] { try settle(key, file, database, sourced) }
    }
  }

  private mutating func settle(
    _ key: Key, _ file: File, _ database: Database, _ sourced: SourcedRecords
  ) throws {
    let id = [UInt8](key.id)
    let fate = sourced.fate(ofCopy: id, place: file.place.map { [UInt8]($0) })
    guard fate != .leftOut else { return leftOut.formUnion(file.parts.map(\.row)) }
    names.append([UInt8](file.place ?? key.path))
    let parts = try distinct(file.parts, database)
    if !Self.areWhole(parts) { broken.append(BrokenFile(id: id, place: [UInt8](file.place ?? key.path))) }
    if let place = file.place.map({ [UInt8]($0) }) {
      stale.note(place, try difference(parts, place, database))
    }
    if case .renamed(let id) = fate {
      for part in parts { ids[part.row] = id }
    }
  }

  /// Compares the parts with the file in their place.
  private func difference(
    _ parts: [Part], _ place: [UInt8], _ database: Database
  ) throws -> CarriedCopies.Difference? {
    guard let carried else { return nil }
    for part in parts {
      let content = try Data.fetchOne(
        database.cachedStatement(sql: "SELECT content FROM files WHERE row_id = ?"), arguments: [part.row])
      let bytes = [UInt8](content ?? Data())
      if let difference = carried.difference(bytes.span, at: part.offset, of: part.total, place: place) {
        return difference
      }
    }
    return nil
  }

  /// Returns the parts by offset.
  ///
  /// The later of two with equal bytes is kept.
  private mutating func distinct(_ parts: [Part], _ database: Database) throws -> [Part] {
    var kept: [Part] = []
    for part in parts.sorted(by: { ($0.offset, $0.row) < ($1.offset, $1.row) }) {
      if let last = kept.last, last.offset == part.offset, last.total == part.total,
        try Self.haveSameContent(last.row, part.row, database)
      {
        leftOut.insert(last.row)
        kept.removeLast()
      }
      kept.append(part)
    }
    return kept
  }

  private static func haveSameContent(_ a: Int64, _ b: Int64, _ database: Database) throws -> Bool {
    let content = "(SELECT content FROM files WHERE row_id = ?)"
    return try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT \(content) IS \(content)"), arguments: [a, b]) ?? false
  }

  private static func areWhole(_ parts: [Part]) -> Bool {
    var end: UInt64 = 0
    for part in parts {
      let (next, overflow) = part.offset.addingReportingOverflow(part.count)
      guard part.offset == end, part.total == parts.first?.total, !overflow else { return false }
      end = next
    }
    return end == parts.first?.total
  }
}
