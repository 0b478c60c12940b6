internal import FuekiSQLite
internal import FuekiSystem
internal import GRDB

/// Opens connections to a store, and checks that a file is one.
enum StoreConnection {
  static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.label = "wallet"
    // Another process's write takes milliseconds. A restore never shares its database.
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = max(2, Processors.count)
    configuration.prepareDatabase { database in
      // A saved record must survive a power failure.
      if !database.configuration.readonly { try database.execute(sql: "PRAGMA synchronous = FULL") }
      try database.execute(sql: "PRAGMA cache_size = -8192")
      try RowLoop.register(in: database)
    }
    return configuration
  }

  /// Returns a store's schema version, or throws if it is not a store.
  static func schemaVersion(of database: Database, path: String) throws -> Int {
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
    guard application == StoreSchema.applicationID, try database.tableExists("meta"),
      let version = try Int.fetchOne(database, sql: "SELECT schema FROM meta WHERE id = 1")
    else { throw StoreError.notAStore(path: path) }
    return version
  }

  /// Inspects a store through a read-only connection, before changing anything or setting a journal mode.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - body: reads more if it is a store.
  /// - Returns: the result of `body`.
  /// - Throws: ``StoreError``: not there, newer, not a store, damaged; the errors of `body`.
  static func inspect<Answer>(_ directory: String, _ body: (Database) throws -> Answer) throws -> Answer {
    try requireFile(in: directory)
    let path = DataDirectory.storePath(in: directory)
    return try DatabaseFailure.translating(path) {
      var configuration = configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(at: path, configuration: configuration)
      let version = try queue.read { try schemaVersion(of: $0, path: path) }
      guard version <= StoreSchema.version else { throw StoreError.newer(schema: version, path: path) }
      let answer = try queue.read(body)
      try queue.close()
      return answer
    }
  }

  /// Refuses a path without a file, which SQLite would create.
  static func requireFile(in directory: String) throws {
    let path = DataDirectory.storePath(in: directory)
    do {
      let folder = try Directory.open(directory)
      guard try folder.contains(DataDirectory.storeName) else { throw StoreError.notThere(path: path) }
    } catch let error as SystemError where error.isNotFound {
      throw StoreError.notThere(path: path)
    } catch let error as SystemError {
      throw StoreError.system(error)
    }
  }
}
