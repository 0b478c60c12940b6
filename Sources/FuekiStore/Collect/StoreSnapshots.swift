internal import FuekiSystem
internal import GRDB

/// Several connections to one snapshot of a store, while the wallet continues to write.
///
/// They are opened under the write lock, so that no commit can happen in between.
final class StoreSnapshots: Sendable {
  let layout: StoreLayout
  private let path: String
  private let first: DatabaseSnapshot
  private let free: Locked<[DatabaseSnapshot]>

  /// Opens one snapshot per processor.
  init(of directory: String, count: Int = Processors.count) throws {
    try StoreConnection.requireFile(in: directory)
    let path = DataDirectory.storePath(in: directory)
    self.path = path
    let snapshots = try DatabaseFailure.translating(path) {
      let pool = try DatabasePool(at: path, configuration: StoreConnection.configuration())
      _ = try pool.read { try StoreConnection.schemaVersion(of: $0, path: path) }
      let gate = try DatabaseQueue(at: path, configuration: StoreConnection.configuration())
      var snapshots: [DatabaseSnapshot] = []
      try gate.inDatabase { database in
        try database.inTransaction(.immediate) {
          for _ in 0..<max(1, count) { snapshots.append(try pool.makeSnapshot()) }
          return .rollback
        }
      }
      return snapshots
    }
    guard let first = snapshots.first else { throw StoreError.busy(path: path) }
    self.first = first
    free = Locked(snapshots)
    layout = try DatabaseFailure.translating(path) {
      try first.read { try StoreLayout(of: $0, path: path) }
    }
  }

  /// Reads with an idle snapshot, or waits for one.
  func read<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    let taken = free.withLock { $0.popLast() }
    defer {
      if let taken { free.withLock { $0.append(taken) } }
    }
    return try DatabaseFailure.translating(path) { try (taken ?? first).read(body) }
  }
}
