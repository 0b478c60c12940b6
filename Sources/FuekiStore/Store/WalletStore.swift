internal import FoundationEssentials
public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import GRDB

/// A wallet's store: the database in its data directory, open for use.
///
/// Any number of threads and processes may read while one writes.
public final class WalletStore: Sendable {
  /// The data directory.
  public let directory: String
  /// The id of the vault, chosen once when it was made and restored with it.
  public let vaultID: VaultID
  let pool: DatabasePool

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

  /// Whether there is a store in a data directory, as far as that can be told without opening it.
  ///
  /// - Throws: ``StoreError/notThere(path:)``, or what the system refuses.
  public static func checkIsThere(_ directory: String) throws {
    try StoreConnection.requireFile(in: directory)
  }

  /// The id of the vault that a data directory is of, through a connection that cannot write.
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

  /// Makes an empty store, and its data directory (0700) where that is missing.
  ///
  /// The vault's id is drawn at random where nil.
  /// - Throws: ``StoreError/alreadyThere(path:)``, or what the system refuses.
  public static func create(_ directory: String, vaultID: VaultID? = nil) throws -> WalletStore {
    let path = DataDirectory.storePath(in: directory)
    let vaultID = vaultID ?? .random()
    return try DatabaseFailure.translating(path) {
      try Directory.makePrivateDirectories(directory)
      do {
        // Made here, because SQLite would make it readable for others; its journals take after it.
        _ = try Directory.open(directory).createFile(DataDirectory.storeName)
      } catch let error as SystemError where error.isAlreadyThere {
        throw StoreError.alreadyThere(path: path)
      }
      let pool = try DatabasePool(path: path, configuration: StoreConnection.configuration())
      try StoreSchema.migrator.migrate(pool)
      try pool.write { try writeIdentity(vaultID, in: $0) }
      try pool.close()
      return try open(directory, path: path)
    }
  }

  /// The id of the vault that a store is of; nil where it says none.
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
    let pool = try DatabasePool(path: path, configuration: StoreConnection.configuration())
    try StoreSchema.migrator.migrate(pool)
    let id = try pool.read { try identity(in: $0, of: directory) }
    return WalletStore(directory: directory, vaultID: id, pool: pool)
  }

  /// The database's path.
  public var path: String { DataDirectory.storePath(in: directory) }

  /// Closes the connections; the store cannot be used afterwards.
  public func close() throws { try DatabaseFailure.translating(path) { try pool.close() } }

  /// Reads from one consistent state of the store.
  func read<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try pool.read(body) }
  }

  /// Writes in one transaction, which is undone if the closure throws.
  func write<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try pool.write(body) }
  }
}
