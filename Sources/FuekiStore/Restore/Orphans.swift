public import FuekiWallet
internal import GRDB

/// Records of a store whose parents are missing.
///
/// They keep their parents' ids.
public struct Orphans: Hashable, Sendable {
  /// The section of the records.
  public let section: Section
  /// The section of the missing parents.
  public let parent: Section
  /// The number of records without a parent.
  public let count: Int
}

extension StoreDestination {
  /// Finds records without parents, once the data directory is in place.
  ///
  /// - Throws: ``StoreError``.
  public func orphans() throws -> [Orphans] { try Orphans.all(inDataDirectory: dataDirectory) }
}

extension Orphans {
  /// Finds records without parents in a data directory.
  ///
  /// - Throws: ``StoreError``.
  public static func all(inDataDirectory directory: String) throws -> [Orphans] {
    let path = DataDirectory.storePath(in: directory)
    return try DatabaseFailure.translating(path) {
      var configuration = StoreConnection.configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(at: path, configuration: configuration)
      let found = try queue.read { try all(in: $0) }
      try queue.close()
      return found
    }
  }

  private static func all(in database: Database) throws -> [Orphans] {
    var all: [Orphans] = []
    for table in StoreTable.all {
      for (column, parent) in table.parents {
        // A record without a parent by design has an empty parent id.
        let count = try Int.fetchOne(
          database,
          sql: """
            SELECT count(*) FROM \(table.name.rawValue)
            WHERE \(column)_row IS NULL AND length(\(column)_id) > 0
            """)
        let section = StoreTable.named(parent).section
        if let count, count > 0 { all.append(Orphans(section: table.section, parent: section, count: count)) }
      }
    }
    let receipts = try Int.fetchOne(database, sql: "SELECT count(*) FROM unclaimed_receipts")
    if let receipts, receipts > 0 {
      all.append(Orphans(section: .receipts, parent: .transactions, count: receipts))
    }
    return all
  }
}
