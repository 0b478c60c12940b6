internal import FoundationEssentials
internal import GRDB

/// The ids of wallets, users and threads by row, cached because a few parents have a million children.
final class ParentIDs {
  private var known: [StoreTable.Name: [Int64: [UInt8]]] = [:]
  private var last: (parent: StoreTable.Name, row: Int64, id: [UInt8])?
  private let database: Database

  init(in database: Database) { self.database = database }

  /// Returns the id of the parent at a row.
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
