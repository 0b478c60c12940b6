internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet
internal import GRDB

/// The copy of a wallet's store that a restore is merged into, a section at a time.
///
/// Nobody else knows the file. Each section is one transaction that a crash undoes; nothing waits for the device before
/// all of them are done.
final class MergeDatabase {
  let context: MergeContext
  private let path: String
  private let queue: DatabaseQueue

  /// Opens a copy, or one that an earlier run has worked on: then its last section may have to be undone first.
  init(in directory: String, policy: ConflictPolicy, manifest: Manifest) throws {
    let path = DataDirectory.storePath(in: directory)
    self.path = path
    let queue = try DatabaseFailure.translating(path) {
      let queue = try DatabaseQueue(path: path, configuration: Self.configuration())
      let version = try queue.inDatabase { try StoreConnection.schemaVersion(of: $0, path: path) }
      guard version <= StoreSchema.version else { throw StoreError.newer(schema: version, path: path) }
      try StoreSchema.migrator.migrate(queue)
      return queue
    }
    self.queue = queue
    context = try DatabaseFailure.translating(path) {
      try queue.inDatabase { database in
        try StoreLoader.setTemporaryFolder(directory, database)
        try StagedSections.prepare(in: database)
        return try MergeContext(in: database, path: path, policy: policy, writes: true, manifest: manifest)
      }
    }
  }

  deinit { try? queue.inDatabase { try StoreLoader.setTemporaryFolder("", $0) } }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.label = "merge"
    // A section's transaction lasts over many calls.
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

  /// The id of the wallet's vault.
  func vaultID() throws -> VaultID {
    guard let id = try work({ try WalletStore.readIdentity(in: $0) }) else {
      throw StoreError.notAStore(path: path)
    }
    return id
  }

  /// Begins a section.
  func begin(_ table: StoreTable) throws -> any SectionMerge {
    try work { database in
      try database.beginTransaction()
      return try table.merge(context)
    }
  }

  /// Ends a section: what it came to is there from now on, also if the run is killed.
  func end(_ merge: any SectionMerge, of section: Section) throws {
    try work { database in
      try merge.finish()
      try StagedSections.note(section, merge.counts, merge.conflicts, in: database)
      try StagedSections.note(merge.namesakes, in: database)
      try database.commit()
    }
  }

  /// Whether the pages hold together, of a file that was left to itself before it was whole.
  func isSound() throws -> Bool {
    try work { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") == ["ok"] }
  }

  /// What an earlier run has merged.
  func staged() throws -> MergeReport {
    try work { database in
      var report = MergeReport()
      report.counts = try StagedSections.all(in: database)
      report.conflicts = try StagedSections.conflicts(in: database)
      report.namesakes = try StagedSections.namesakes(in: database)
      return report
    }
  }

  /// Joins children to parents that came with them, and leaves the file as a store is used.
  ///
  /// What was there is not looked over: it is a copy, byte for byte, of what the wallet worked with, and a look would
  /// take as long as there is history.
  func finish() throws {
    try work { database in
      try database.inTransaction {
        try ParentClaims.settle(in: database)
        try StagedSections.remove(in: database)
        return .commit
      }
      try StoreLoader.setTemporaryFolder("", database)
    }
    try DatabaseFailure.translating(path) { try queue.close() }
    try StoreLoader.leaveForUse(path)
  }

  func work<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try queue.inDatabase(body) }
  }
}
