internal import FuekiSystem
internal import GRDB

/// How connections to a store are opened and what a file must be to count as one.
enum StoreConnection {
  static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.label = "wallet"
    // Another process that writes is done in milliseconds; a restore never shares its database.
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = max(2, Processors.count)
    configuration.prepareDatabase { database in
      // A wallet that says "saved" must mean it, also after a power cut.
      if !database.configuration.readonly { try database.execute(sql: "PRAGMA synchronous = FULL") }
      try database.execute(sql: "PRAGMA cache_size = -8192")
    }
    return configuration
  }

  /// Says which version a store has, or that it is none.
  static func schemaVersion(of database: Database, path: String) throws -> Int {
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
    guard application == StoreSchema.applicationID, try database.tableExists("meta"),
      let version = try Int.fetchOne(database, sql: "SELECT schema FROM meta WHERE id = 1")
    else { throw StoreError.notAStore(path: path) }
    return version
  }

  /// Looks at a store through a connection that cannot write, before anything is changed or a journal mode set.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - body: reads more, where it is one.
  /// - Returns: what `body` returns.
  /// - Throws: ``StoreError``: not there, newer, not a store, damaged; what `body` throws.
  static func inspect<Answer>(_ directory: String, _ body: (Database) throws -> Answer) throws -> Answer {
    try requireFile(in: directory)
    let path = DataDirectory.storePath(in: directory)
    return try DatabaseFailure.translating(path) {
      var configuration = configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let version = try queue.read { try schemaVersion(of: $0, path: path) }
      guard version <= StoreSchema.version else { throw StoreError.newer(schema: version, path: path) }
      let answer = try queue.read(body)
      try queue.close()
      return answer
    }
  }

  /// Refuses a path that has no file, so that SQLite does not make one.
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
