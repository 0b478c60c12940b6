internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import GRDB

/// The data directory of an import: an existing one, or a new one, which appears only when complete.
public final class ImportPlace {
  /// The current directory of store and keychain.
  public let directory: String
  /// Whether the directory is a new one, next to its final place.
  public var isNew: Bool { scratch != nil }
  private let isThere: Bool
  private let scratch: ScratchDirectory?
  private var store: WalletStore?

  /// Finds the data directory, or creates a new one next to its final place.
  ///
  /// No database is opened and no thread started yet. The caller must hold the machine's lock. Leftovers of
  /// killed runs next to a missing directory are removed.
  ///
  /// - Throws: ``StoreError``, or errors of the system.
  public init(_ directory: String) throws {
    do {
      try WalletStore.checkIsThere(directory)
      (self.directory, scratch, isThere) = (directory, nil, true)
    } catch StoreError.notThere {
      isThere = false
      try StoreDestination.removeLeftovers(besideDataDirectory: directory)
      do {
        let scratch = try ScratchDirectory(becoming: directory)
        self.directory = try scratch.make()
        self.scratch = scratch
      } catch PlaceError.wouldOverwrite {
        // Another file, such as a keychain, already exists and stays.
        (self.directory, scratch) = (directory, nil)
      }
    }
  }

  // If the import did not finish, close the store before its directory is removed.
  deinit { try? store?.close() }

  /// Opens or creates the store.
  ///
  /// - Throws: ``StoreError``, or errors of the system.
  public func open() throws -> WalletStore {
    let store = isThere ? try WalletStore.open(directory) : try WalletStore.create(directory)
    self.store = store
    return store
  }

  /// Closes the store and moves a new data directory into place.
  public func finish() throws {
    try store?.close()
    try scratch?.settle()
  }
}

extension StoreImport {
  /// Determines the result of an import without writing.
  ///
  /// If the data directory has no store, everything is new.
  public static func plan(
    _ directory: String, onConflict policy: ConflictPolicy, _ body: (StoreImport) throws -> Void
  ) throws -> MergeReport {
    do {
      let store = try WalletStore.open(directory)
      defer { try? store.close() }
      return try store.planImport(onConflict: policy, body)
    } catch StoreError.notThere {
      let queue = try DatabaseQueue()
      try StoreSchema.migrator.migrate(queue)
      return try queue.write { database in
        try WalletStore.writeIdentity(.random(), in: database)
        return try run(in: database, directory, policy, writesSecrets: false, body)
      }
    }
  }
}
