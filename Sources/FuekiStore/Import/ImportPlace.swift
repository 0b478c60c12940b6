internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import GRDB

/// The data directory that an import goes into: the one that is there, or a new one that appears as a whole.
public final class ImportPlace {
  /// Where store and keychain are meanwhile.
  public let directory: String
  /// Whether the directory is a new one, beside the one that it becomes.
  public var isNew: Bool { scratch != nil }
  private let isThere: Bool
  private let scratch: ScratchDirectory?
  private var store: WalletStore?

  /// Finds the data directory, or makes one beside the place of one that is not there.
  ///
  /// No database is opened yet, and no thread begun. The caller holds the machine's lock. What killed runs had begun beside a directory that is not there goes.
  ///
  /// - Throws: ``StoreError``, or what the system refuses.
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
        // Something else is there already, such as a keychain, and stays.
        (self.directory, scratch) = (directory, nil)
      }
    }
  }

  // Before the directory that it is in goes, where nothing was finished.
  deinit { try? store?.close() }

  /// Opens the store, or makes it.
  ///
  /// - Throws: ``StoreError``, or what the system refuses.
  public func open() throws -> WalletStore {
    let store = isThere ? try WalletStore.open(directory) : try WalletStore.create(directory)
    self.store = store
    return store
  }

  /// Closes the store and puts a new data directory in place.
  public func finish() throws {
    try store?.close()
    try scratch?.settle()
  }
}

extension StoreImport {
  /// Finds out what an import would come to, and writes nothing.
  ///
  /// Where the data directory has no store, everything is new.
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
