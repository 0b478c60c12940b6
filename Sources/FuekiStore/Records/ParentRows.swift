internal import FoundationEssentials
internal import GRDB

/// The rows of wallets, users and threads by id, for the records that belong to them.
final class ParentRows {
  // There are few wallets and users, but possibly many threads. Those beyond the limit are looked up.
  private static let limit = 1 << 16

  /// The known rows, for reading by workers.
  private(set) var known: [StoreTable.Name: [[UInt8]: Int64]] = [:]
  private var last: (id: [UInt8], parent: StoreTable.Name, row: Int64)?
  private let looksUp: Bool

  /// Starts empty.
  ///
  /// `looksUp` states whether the database may hold unrecorded parents.
  init(looksUp: Bool) { self.looksUp = looksUp }

  /// Whether a table's records have children, so that their rows are recorded.
  static func areNoted(of table: StoreTable.Name) -> Bool {
    StoreTable.all.contains { $0.parents.contains { $0.parent == table } }
  }

  /// Records a parent.
  ///
  /// The first of several with one id counts.
  func note(_ id: [UInt8], _ row: Int64, in parent: StoreTable.Name) {
    guard known[parent]?.count ?? 0 < Self.limit else { return }
    let before = known[parent, default: [:]].updateValue(row, forKey: id)
    if let before { known[parent]?[id] = before }
  }

  /// Returns the row of the parent with an id, or nil if it is not in the store or not yet found.
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
