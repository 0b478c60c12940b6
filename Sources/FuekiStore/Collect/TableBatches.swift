internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import Synchronization

/// A table's records as batches, each read and encoded by whichever worker takes it.
final class TableBatches: Sendable {
  private let snapshots: StoreSnapshots
  private let encoder: RowEncoder
  private let ranges: [ClosedRange<Int64>]
  private let next = Mutex(0)

  init(_ table: StoreTable, ranges: [ClosedRange<Int64>], from snapshots: StoreSnapshots) {
    self.snapshots = snapshots
    self.ranges = ranges
    encoder = RowEncoder(table, unknownColumns: snapshots.layout.unknownNames(of: table.name))
  }

  /// The next batch's job; nil when all have been handed out.
  func take() -> BatchJob? {
    let place = next.withLock { next in
      defer { next += 1 }
      return next
    }
    guard place < ranges.count else { return nil }
    let range = ranges[place]
    return { [snapshots, encoder] in
      try snapshots.read { try Self.batch(of: range, encoder, $0) }
    }
  }

  private static func batch(
    of range: ClosedRange<Int64>, _ encoder: RowEncoder, _ database: Database
  ) throws -> RecordBatch {
    let name = encoder.table.name.rawValue
    let statement = try database.cachedStatement(
      sql: encoder.sql("WHERE \(name).row_id BETWEEN ? AND ? ORDER BY \(name).row_id"))
    let lists = try encoder.table.lists.map { try self.list($0.list, of: range, database) }
    let rows = try Row.fetchCursor(statement, arguments: [range.lowerBound, range.upperBound])
    var batch = RecordBatch()
    batch.bytes.reserveCapacity(1 << 20)
    var writer = WireWriter(reserving: 4096)
    let parents = ParentIDs(in: database)
    while let row = try rows.next() {
      writer.removeAll()
      if lists.isEmpty {
        try encoder.append(row, parents: parents, to: &writer)
      } else {
        let number: Int64 = row[0]
        try encoder.append(row, lists: lists.map { $0[number] ?? [] }, parents: parents, to: &writer)
      }
      try RecordFraming.append(writer.bytes, to: &batch.bytes)
      batch.count += 1
    }
    return batch
  }

  private static func list(
    _ list: StoreList, of range: ClosedRange<Int64>, _ database: Database
  ) throws -> [Int64: [Data]] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(list.owner)_row, \(list.element)_id FROM \(list.table)
        WHERE \(list.owner)_row BETWEEN ? AND ? ORDER BY \(list.owner)_row, position
        """)
    var ids: [Int64: [Data]] = [:]
    let rows = try Row.fetchCursor(statement, arguments: [range.lowerBound, range.upperBound])
    while let row = try rows.next() { ids[row[0], default: []].append(row[1]) }
    return ids
  }
}
