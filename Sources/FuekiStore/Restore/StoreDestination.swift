public import FuekiBackup
public import FuekiWallet
public import FuekiArchive

/// A restore into a new data directory, which appears complete or not at all.
///
/// Work is in a directory next to it, `.<name>.restoring-<random>`, which is removed unless ``finish()``
/// succeeds.
public final class StoreDestination: Destination {
  /// The keychain next to the store.
  ///
  /// It is written only on request.
  public let keychain: RestoredKeychain
  /// The final data directory.
  var dataDirectory: String { scratch.destination }
  private let scratch: ScratchDirectory
  private var loader: StoreLoader?
  private var isResumed = false

  /// Prepares for a missing or empty data directory, without writing.
  ///
  /// The slots are for the new keychain; empty if the restore brings no secrets.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``.
  public init(dataDirectory: String, keychainSlots: [NewKeychainSlot] = []) throws {
    scratch = try ScratchDirectory(becoming: dataDirectory)
    keychain = RestoredKeychain(slots: keychainSlots, in: scratch)
  }

  /// Resumes a stopped run.
  ///
  /// - Parameters:
  ///   - path: the scratch directory.
  ///   - dataDirectory: the final data directory.
  ///   - secrets: the number of secrets in its keychain, already compared with the archive's.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``, or ``SystemError`` if the scratch directory is missing.
  public init(resuming path: String, of dataDirectory: String, secrets: [Section: UInt64]) throws {
    scratch = try ScratchDirectory(resuming: path, of: dataDirectory, replaces: false)
    keychain = RestoredKeychain(staged: secrets, in: scratch)
    isResumed = StoreLoader.isBegun(in: try scratch.make())
  }

  /// Returns the scratch directory and its inode, creating it if needed.
  public func makeScratch() throws -> (path: String, inode: UInt64) {
    (try scratch.make(), try scratch.inode())
  }

  /// Keeps the staged data for a run that resumes.
  public func leave() { scratch.leave() }

  /// The sections staged by an earlier run.
  public var staged: [Section: UInt64] { loader?.staged ?? [:] }

  /// Removes leftovers of killed runs next to this data directory.
  ///
  /// The caller must hold the machine's lock, so that no other run is working there.
  public static func removeLeftovers(besideDataDirectory path: String) throws {
    try ScratchDirectory.removeLeftovers(of: path)
  }

  /// Creates the database, with columns of newer versions that the manifest announces.
  public func begin(_ manifest: Manifest, vaultID: VaultID) throws {
    let directory = try scratch.make()
    if isResumed {
      loader = try StoreLoader(resuming: directory, manifest: manifest)
    } else {
      try scratch.removeStore()
      loader = try StoreLoader(in: directory, vaultID: vaultID, manifest: manifest)
    }
  }

  /// Decodes a section's records on workers and inserts them here, in order.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` for an invalid record.
  public func restore(_ records: SectionRecords) throws -> UInt64 {
    guard let loader, let table = StoreTable.of(records.section) else { return 0 }
    let preparation = loader.preparation(of: table)
    var count: UInt64 = 0
    try records.forEachBlock(decode: { try preparation.prepare($0.bytes, $0.messages) }) { prepared in
      try loader.insert(prepared, into: table)
      count += UInt64(prepared.count)
    }
    try loader.endSection(records.section, count)
    return count
  }

  /// Builds the indices, checks the database, and puts the data directory in place.
  public func finish() throws {
    guard let loader else { return }
    try loader.finish()
    self.loader = nil
    try scratch.settle()
  }
}
