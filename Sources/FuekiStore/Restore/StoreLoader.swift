internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSQLite
internal import FuekiSystem
internal import FuekiWallet
internal import GRDB

/// A new database during a load: no syncs, no indices, one transaction for each section.
///
/// The file is private until it is complete. The journal holds only a section's changes to earlier pages,
/// which are few, and lets a killed run resume at its section.
final class StoreLoader {
  private let path: String
  private let queue: DatabaseQueue
  private let parents = ParentRows(looksUp: false)
  private let unknownColumns: [StoreTable.Name: [String]]
  private var inserters: [StoreTable.Name: RecordInserter] = [:]
  private var receipts: ReceiptLoader?
  /// The sections loaded by an earlier run.
  private(set) var staged: [Section: UInt64] = [:]

  /// Creates the database in an existing directory.
  init(in directory: String, vaultID: VaultID, manifest: Manifest = Manifest()) throws {
    path = DataDirectory.storePath(in: directory)
    _ = try Directory.open(directory).createFile(DataDirectory.storeName)
    let path = path
    queue = try DatabaseFailure.translating(path) {
      try DatabaseQueue(at: path, configuration: Self.configuration())
    }
    unknownColumns = Self.unknownColumns(of: manifest)
    try work { database in
      try database.beginTransaction()
      try StoreSchema.makeTables(in: database)
      try WalletStore.writeIdentity(vaultID, in: database)
      for index in StoreIndex.all where index.sql.contains(" WHERE ") { try database.execute(sql: index.sql) }
      for column in manifest.unknownColumns { try Self.add(column, to: database) }
      for problem in manifest.problems { try RecordMarks.add(problem, in: database) }
      try StagedSections.prepare(in: database)
    }
  }

  /// Resumes with a stopped run's database.
  init(resuming directory: String, manifest: Manifest) throws {
    path = DataDirectory.storePath(in: directory)
    let path = path
    queue = try DatabaseFailure.translating(path) {
      try DatabaseQueue(at: path, configuration: Self.configuration())
    }
    unknownColumns = Self.unknownColumns(of: manifest)
    staged = try work { database in
      for parent in [StoreTable.Name.wallets, .users, .threads] {
        let rows = try Row.fetchCursor(
          database, sql: "SELECT id, row_id FROM \(parent.rawValue) WHERE id IS NOT NULL ORDER BY row_id")
        while let row = try rows.next() { parents.note([UInt8](row[0] as Data), row[1], in: parent) }
      }
      let staged = try StagedSections.all(in: database).mapValues(\.all)
      try database.beginTransaction()
      return staged
    }
  }

  /// Whether a stopped run's database has its tables and is of this version.
  static func isBegun(in directory: String) -> Bool {
    guard (try? StoreConnection.requireFile(in: directory)) != nil else { return false }
    let path = DataDirectory.storePath(in: directory)
    let found = try? DatabaseQueue(at: path).read { database in
      try database.tableExists("restore_stages")
        && StoreConnection.schemaVersion(of: database, path: path) == StoreSchema.version
    }
    return found ?? false
  }

  /// Commits a section, which survives even if the run is killed.
  func endSection(_ section: Section, _ records: UInt64) throws {
    try work { database in
      var counts = MergeCounts()
      counts.added = records
      try StagedSections.note(section, counts, in: database)
      try database.commit()
      try database.beginTransaction()
    }
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.label = "restore"
    configuration.foreignKeysEnabled = false
    // A transaction spans many calls.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      try database.execute(
        sql: """
          PRAGMA page_size = 16384; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF;
          PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -4096; PRAGMA threads = 2;
          """)
    }
    return configuration
  }

  deinit {
    // Statements must be released on the thread that has the database.
    queue.inDatabase { _ in
      inserters = [:]
      receipts = nil
    }
  }

  /// Returns the preparation of a section's records, for any thread.
  ///
  /// It knows the parents inserted before the call.
  func preparation(of table: StoreTable) -> RecordPreparation {
    let columns = unknownColumns[table.name] ?? []
    return RecordPreparation(
      RecordDecoder(table, unknownColumns: columns), parents: parents.known)
  }

  /// Inserts a block's records.
  func insert(_ records: BoundRecords, into table: StoreTable) throws {
    try work { database in
      guard table.name != .receipts else { return try receiptLoader(database).insert(records) }
      try inserter(of: table, database).insert(records)
    }
  }

  /// Finishes the load: joins children to parents, builds indices, and checks everything.
  func finish() throws {
    try work { database in
      inserters = [:]
      receipts = nil
      // Receipts in another order than their transactions needed an index earlier.
      let names = "SELECT name FROM sqlite_master WHERE type = 'index'"
      let made = Set(try String.fetchAll(database, sql: names))
      for index in StoreIndex.all where !made.contains(index.name) { try database.execute(sql: index.sql) }
      try StagedSections.remove(in: database)
      try ParentClaims.settle(in: database)
      try StoreSchema.markAsMigrated(database)
      try database.commit()
    }
    try DatabaseFailure.translating(path) { try queue.close() }
    try StoreCheck.runOnLoaded(path)
    try Self.leaveForUse(path)
  }

  /// Leaves a file ready for use: with a write-ahead log, and synced to the device.
  static func leaveForUse(_ path: String) throws {
    try DatabaseFailure.translating(path) {
      let queue = try DatabaseQueue(at: path)
      try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try queue.close()
      let (folder, name) = try DataDirectory.split(path)
      try Directory.open(folder).openFileForWriting(name).sync()
    }
  }

  private func inserter(of table: StoreTable, _ database: Database) throws -> RecordInserter {
    if let known = inserters[table.name] { return known }
    let made = try RecordInserter(
      table, unknownColumns: unknownColumns[table.name] ?? [], parents: parents, isLoad: true, in: database)
    inserters[table.name] = made
    return made
  }

  private func receiptLoader(_ database: Database) throws -> ReceiptLoader {
    if let receipts { return receipts }
    let made = try ReceiptLoader(in: database, unknownColumns: unknownColumns[.receipts] ?? [])
    receipts = made
    return made
  }

  private func work<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try queue.inDatabase(body) }
  }
}

extension StoreLoader {
  /// Returns the unknown columns of each table of this version.
  ///
  /// A receipt's are in both its tables.
  private static func unknownColumns(of manifest: Manifest) -> [StoreTable.Name: [String]] {
    var columns: [StoreTable.Name: [String]] = [:]
    for unknown in manifest.unknownColumns {
      guard let table = StoreTable.Name(rawValue: unknown.table) else { continue }
      for table in tables(with: table) where canAdd(unknown, to: table, besides: columns[table] ?? []) {
        columns[table, default: []].append(unknown.column)
      }
    }
    return columns
  }

  private static func tables(with table: StoreTable.Name) -> [StoreTable.Name] {
    table == .receipts || table == .unclaimedReceipts ? [.receipts, .unclaimedReceipts] : [table]
  }

  // Excludes columns that this version has gained meanwhile, and duplicates.
  private static func canAdd(
    _ unknown: UnknownColumn, to table: StoreTable.Name, besides others: [String]
  ) -> Bool {
    let known = StoreTable.named(table).declaredColumns.map(\.name) + others
    return !unknown.column.isEmpty && !unknown.column.utf8.contains(0)
      && !known.contains { $0.lowercased() == unknown.column.lowercased() }
  }

  static func add(_ unknown: UnknownColumn, to database: Database) throws {
    guard let table = StoreTable.Name(rawValue: unknown.table) else { return }
    for table in tables(with: table) {
      let present = try String.fetchAll(
        database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table.rawValue])
      guard canAdd(unknown, to: table, besides: present) else { continue }
      let type = SQLName.type(unknown.declaredType)
      try database.execute(
        sql: "ALTER TABLE \(table.rawValue) ADD COLUMN \(SQLName.quoted(unknown.column)) \(type)")
    }
  }
}
