internal import FoundationEssentials
internal import GRDB

/// The rows of wallets, users and threads by their ids, for the records that belong to them.
final class ParentRows {
  // A person has a handful of wallets and users, but threads can be many: those beyond are looked up.
  private static let limit = 1 << 16

  /// The rows that are known, for workers to look into.
  private(set) var known: [StoreTable.Name: [[UInt8]: Int64]] = [:]
  private var last: (id: [UInt8], parent: StoreTable.Name, row: Int64)?
  private let looksUp: Bool

  /// Begins with none; `looksUp` says whether the database may hold parents that were not noted.
  init(looksUp: Bool) { self.looksUp = looksUp }

  /// Whether a table's records have children, for which their rows are noted.
  static func areNoted(of table: StoreTable.Name) -> Bool {
    StoreTable.all.contains { $0.parents.contains { $0.parent == table } }
  }

  /// Notes a parent; the first of several with one id counts.
  func note(_ id: [UInt8], _ row: Int64, in parent: StoreTable.Name) {
    guard known[parent]?.count ?? 0 < Self.limit else { return }
    let before = known[parent, default: [:]].updateValue(row, forKey: id)
    if let before { known[parent]?[id] = before }
  }

  /// The row of the parent with an id, or nil where it is not in the store, or not found yet.
  func row(of id: [UInt8], in parent: StoreTable.Name, _ database: Database) throws -> Int64? {
    if let last, last.parent == parent, last.id == id { return last.row }
    var row = known[parent]?[id]
    if row == nil, looksUp {
      let sql = "SELECT min(row_id) FROM \(parent.rawValue) WHERE id = ?"
      row = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [Data(id)])
    }
    if let row { last = (id, parent, row) }
    return row
  }
}

/// The ids of wallets, users and threads by their rows: a few parents have a million children.
final class ParentIDs {
  private var known: [StoreTable.Name: [Int64: [UInt8]]] = [:]
  private var last: (parent: StoreTable.Name, row: Int64, id: [UInt8])?
  private let database: Database

  init(in database: Database) { self.database = database }

  /// The id of the parent at a row.
  func id(of row: Int64, in parent: StoreTable.Name) throws -> [UInt8] {
    if let last, last.row == row, last.parent == parent { return last.id }
    let id = try known[parent]?[row] ?? lookUp(row, in: parent)
    known[parent, default: [:]][row] = id
    last = (parent, row, id)
    return id
  }

  private func lookUp(_ row: Int64, in parent: StoreTable.Name) throws -> [UInt8] {
    let statement = try database.cachedStatement(sql: "SELECT id FROM \(parent.rawValue) WHERE row_id = ?")
    return [UInt8](try Data.fetchOne(statement, arguments: [row]) ?? Data())
  }
}
