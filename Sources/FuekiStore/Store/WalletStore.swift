internal import FoundationEssentials
public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
package import GRDB

/// A wallet's store: the open database of its data directory.
///
/// Any number of threads and processes may read while one writes.
public final class WalletStore: Sendable {
  /// The data directory.
  public let directory: String
  /// The id of the vault, chosen when the store was created and restored with it.
  public let vaultID: VaultID
  let pool: DatabasePool
  let feed = StoreChanges()

  private init(directory: String, vaultID: VaultID, pool: DatabasePool) {
    self.directory = directory
    self.vaultID = vaultID
    self.pool = pool
  }

  /// Opens the store of a data directory.
  ///
  /// - Throws: ``StoreError``: not there, newer, not a store, damaged.
  public static func open(_ directory: String) throws -> WalletStore {
    try StoreConnection.inspect(directory) { _ in }
    let path = DataDirectory.storePath(in: directory)
    return try DatabaseFailure.translating(path) { try open(directory, path: path) }
  }

  /// Checks that a data directory has a store, without opening it.
  ///
  /// - Throws: ``StoreError/notThere(path:)``, or errors of the system.
  public static func checkIsThere(_ directory: String) throws {
    try StoreConnection.requireFile(in: directory)
  }

  /// Returns the vault id of a data directory through a read-only connection.
  ///
  /// - Throws: ``StoreError``: not there, newer, not a store, damaged.
  public static func vaultID(ofStoreIn directory: String) throws -> VaultID {
    try StoreConnection.inspect(directory) { try identity(in: $0, of: directory) }
  }

  private static func identity(in database: Database, of directory: String) throws -> VaultID {
    guard let id = try readIdentity(in: database) else {
      throw StoreError.notAStore(path: DataDirectory.storePath(in: directory))
    }
    return id
  }

  /// Creates an empty store, and its data directory (0700) if missing.
  ///
  /// If `vaultID` is nil, it is random.
  /// - Throws: ``StoreError/alreadyThere(path:)``, or errors of the system.
  public static func create(_ directory: String, vaultID: VaultID? = nil) throws -> WalletStore {
    let path = DataDirectory.storePath(in: directory)
    let vaultID = vaultID ?? .random()
    return try DatabaseFailure.translating(path) {
      try Directory.makePrivateDirectories(directory)
      do {
        // Created here, because SQLite would make it readable by others. Its journals inherit the
        // permissions.
        _ = try Directory.open(directory).createFile(DataDirectory.storeName)
      } catch let error as SystemError where error.isAlreadyThere {
        throw StoreError.alreadyThere(path: path)
      }
      let pool = try DatabasePool(at: path, configuration: StoreConnection.configuration())
      try StoreSchema.migrator.migrate(pool)
      try pool.write { try writeIdentity(vaultID, in: $0) }
      try pool.close()
      return try open(directory, path: path)
    }
  }

  /// Returns a store's vault id; nil if it states none.
  static func readIdentity(in database: Database) throws -> VaultID? {
    let id = try Data.fetchOne(database, sql: "SELECT vault_id FROM meta WHERE id = 1")
    return id.flatMap { VaultID(bytes: [UInt8]($0)) }
  }

  static func writeIdentity(_ vaultID: VaultID, in database: Database) throws {
    try database.execute(
      sql: "INSERT INTO meta (id, vault_id, schema) VALUES (1, ?, ?)",
      arguments: [Data(vaultID.bytes), StoreSchema.version])
  }

  private static func open(_ directory: String, path: String) throws -> WalletStore {
    let pool = try DatabasePool(at: path, configuration: StoreConnection.configuration())
    try StoreSchema.migrator.migrate(pool)
    let id = try pool.read { try identity(in: $0, of: directory) }
    return WalletStore(directory: directory, vaultID: id, pool: pool)
  }

  /// The database's path.
  public var path: String { DataDirectory.storePath(in: directory) }

  /// Closes the connections.
  ///
  /// The store cannot be used afterwards.
  public func close() throws {
    feed.finish()
    try DatabaseFailure.translating(path) { try pool.close() }
  }

  /// Reads from a consistent snapshot of the store.
  package func read<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try pool.read(body) }
  }

  /// Writes in one transaction, which is rolled back if `body` throws.
  package func write<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) {
      let (answer, isChanged) = try pool.write { database in
        let before = database.totalChangesCount
        return (try body(database), database.totalChangesCount != before)
      }
      if isChanged { feed.post() }
      return answer
    }
  }
}
