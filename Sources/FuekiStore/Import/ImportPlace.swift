public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import GRDB

/// The data directory that an import goes into: the one that is there, or a new one that appears as a whole.
public final class ImportPlace {
  /// The store, open.
  public let store: WalletStore
  /// Where store and keychain are meanwhile.
  public var directory: String { store.directory }
  private let scratch: ScratchDirectory?

  /// Opens the store of a data directory; where there is none, makes one beside it.
  ///
  /// The caller holds the machine's lock. What killed runs had begun beside a directory that is not there goes.
  ///
  /// - Throws: ``StoreError``, or what the system refuses.
  public init(_ directory: String) throws {
    do {
      store = try WalletStore.open(directory)
      scratch = nil
    } catch StoreError.notThere {
      try StoreDestination.removeLeftovers(besideDataDirectory: directory)
      do {
        let scratch = try ScratchDirectory(becoming: directory)
        store = try WalletStore.create(try scratch.make())
        self.scratch = scratch
      } catch BackupError.wouldOverwrite {
        // Something else is there already, such as a keychain, and stays.
        store = try WalletStore.create(directory)
        scratch = nil
      }
    }
  }

  // Before the directory that it is in goes, where nothing was finished.
  deinit { try? store.close() }

  /// Closes the store and puts a new data directory in place.
  public func finish() throws {
    try store.close()
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
        try WalletStore.writeIdentity(RandomBytes.bytes(WalletStore.vaultIDByteCount), in: database)
        return try run(in: database, directory, policy, writesSecrets: false, body)
      }
    }
  }
}
