internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSQLite
internal import FuekiSystem
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// A table's records as batches, each read and encoded by one worker.
final class TableBatches: Sendable {
  private static let limitBytes = 4 << 20

  private let snapshots: StoreSnapshots
  private let encoder: RowEncoder
  private let ranges: [ClosedRange<Int64>]
  private let leftOut: Set<Int64>
  private let ids: [Int64: [UInt8]]
  private let next = Locked(0)

  /// - Parameters:
  ///   - table: the table.
  ///   - ranges: the rows of each batch.
  ///   - leftOut: the excluded rows.
  ///   - ids: new ids of rows of files.
  ///   - snapshots: the store.
  init(
    _ table: StoreTable, ranges: [ClosedRange<Int64>], leavingOut leftOut: Set<Int64> = [],
    renaming ids: [Int64: [UInt8]] = [:], from snapshots: StoreSnapshots
  ) {
    (self.leftOut, self.ids) = (leftOut, ids)
    self.snapshots = snapshots
    self.ranges = ranges
    encoder = RowEncoder(table, unknownColumns: snapshots.layout.unknownNames(of: table.name))
  }

  /// Returns the next batch's job; nil after the last.
  func take() -> BatchJob? {
    let place = next.withLock { next in
      defer { next += 1 }
      return next
    }
    guard place < ranges.count else { return nil }
    let range = ranges[place]
    return job(of: range)
  }

  private func job(of range: ClosedRange<Int64>) -> BatchJob {
    { try self.snapshots.read { try self.batch(of: range, $0) } }
  }

  private func batch(of range: ClosedRange<Int64>, _ database: Database) throws -> RecordBatch {
    let name = encoder.table.name.rawValue
    var rows = try RowLoop(
      encoder.steps.selectedColumns, "\(encoder.steps.selectedTables) WHERE \(name).row_id BETWEEN ? AND ?",
      orderedBy: "\(name).row_id", in: database)
    let lists = try encoder.table.lists.map { try Self.list($0.list, of: range, database) }
    let parents = ParentIDs(in: database)
    var batch = RecordBatch()
    batch.reserve(1 << 20)
    try rows.forEach(range.lowerBound, range.upperBound) { row in
      let number = row.integer(0) ?? range.upperBound
      // Rows larger than estimated must not all be in memory at once.
      guard batch.bytes.count < Self.limitBytes else {
        batch.rest = job(of: number...range.upperBound)
        return false
      }
      guard !leftOut.contains(number) else { return true }
      try batch.append { bytes in
        let start = bytes.count
        try encoder.append(row, lists: lists.map { $0[number] ?? [] }, parents: parents, to: &bytes)
        guard let id = ids[number] else { return }
        var part = try FilePart(serializedBytes: Array(bytes[start...]))
        part.id = Data(id)
        bytes.replaceSubrange(start..., with: try part.serializedBytes() as [UInt8])
      }
      return true
    }
    return batch
  }

  private static func list(
    _ list: StoreList, of range: ClosedRange<Int64>, _ database: Database
  ) throws -> [Int64: [[UInt8]]] {
    var rows = try SQLStatement(
      """
      SELECT \(list.owner)_row, \(list.element)_id FROM \(list.table)
      WHERE \(list.owner)_row BETWEEN ? AND ? ORDER BY \(list.owner)_row, position
      """, in: database)
    try rows.begin(range.lowerBound, range.upperBound)
    var ids: [Int64: [[UInt8]]] = [:]
    try rows.forEachRow { row in
      guard let owner = row.integer(0) else { return }
      ids[owner, default: []].append(row.withBytes(1) { $0?.copied() ?? [] })
    }
    return ids
  }
}
