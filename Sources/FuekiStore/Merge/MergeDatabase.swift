internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet
internal import GRDB

/// The copy of a wallet's store into which a restore is merged, section by section.
///
/// The file is private to this run. Each section is one transaction, rolled back after a crash. Data is
/// synced to the device only at the end.
final class MergeDatabase {
  let context: MergeContext
  private let path: String
  private let queue: DatabaseQueue

  /// Opens a copy, even one from an earlier run, whose last section may first have to be rolled back.
  init(in directory: String, policy: ConflictPolicy, manifest: Manifest) throws {
    let path = DataDirectory.storePath(in: directory)
    self.path = path
    let queue = try DatabaseFailure.translating(path) {
      let queue = try DatabaseQueue(at: path, configuration: Self.configuration())
      let version = try queue.inDatabase { try StoreConnection.schemaVersion(of: $0, path: path) }
      guard version <= StoreSchema.version else { throw StoreError.newer(schema: version, path: path) }
      try StoreSchema.migrator.migrate(queue)
      return queue
    }
    self.queue = queue
    context = try DatabaseFailure.translating(path) {
      try queue.inDatabase { database in
        try StagedSections.prepare(in: database)
        return try MergeContext(in: database, path: path, policy: policy, writes: true, manifest: manifest)
      }
    }
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.label = "merge"
    // A section's transaction spans many calls.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      try database.execute(
        sql: """
          PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF;
          PRAGMA cache_size = -16384;
          """)
    }
    return configuration
  }

  /// Returns the id of the wallet's vault.
  func vaultID() throws -> VaultID {
    guard let id = try work({ try WalletStore.readIdentity(in: $0) }) else {
      throw StoreError.notAStore(path: path)
    }
    return id
  }

  /// Starts a section.
  func begin(_ table: StoreTable) throws -> any SectionMerge {
    try work { database in
      try database.beginTransaction()
      return try table.merge(context)
    }
  }

  /// Commits a section, which survives even if the run is killed.
  func end(_ merge: any SectionMerge, of section: Section) throws {
    try work { database in
      try merge.finish()
      try StagedSections.note(section, merge.counts, merge.conflicts, in: database)
      try StagedSections.note(merge.namesakes, in: database)
      try database.commit()
    }
  }

  /// Whether the pages of an unsynced file are consistent.
  func isSound() throws -> Bool {
    try work { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") == ["ok"] }
  }

  /// Returns the results of earlier runs.
  func staged() throws -> MergeReport {
    try work { database in
      var report = MergeReport()
      report.counts = try StagedSections.all(in: database)
      report.conflicts = try StagedSections.conflicts(in: database)
      report.namesakes = try StagedSections.namesakes(in: database)
      return report
    }
  }

  /// Joins children to parents that came with them, and leaves the file ready for use.
  ///
  /// Existing data is not checked: it is an exact copy of the wallet's own, and a check would take time in
  /// proportion to the history.
  func finish() throws {
    try work { database in
      try database.inTransaction {
        try ParentClaims.settle(in: database)
        try StagedSections.remove(in: database)
        return .commit
      }
    }
    try DatabaseFailure.translating(path) { try queue.close() }
    try StoreLoader.leaveForUse(path)
  }

  func work<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try queue.inDatabase(body) }
  }
}
