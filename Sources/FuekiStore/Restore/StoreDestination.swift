public import FuekiBackup
public import FuekiWallet
public import FuekiArchive

/// A restore into a new data directory, which is there as a whole or not at all.
///
/// Everything is made in a directory beside it, `.<name>.restoring-<random>`; dropped before ``finish()``, it
/// removes that.
public final class StoreDestination: Destination {
  /// The keychain that comes with the store; nothing is written for it unless it is told to.
  public let keychain: RestoredKeychain
  /// The data directory that it all becomes.
  var dataDirectory: String { scratch.destination }
  private let scratch: ScratchDirectory
  private var loader: StoreLoader?
  private var isResumed = false

  /// Prepares for a data directory that is not there, or empty; nothing is written yet.
  ///
  /// The slots are what will open the new keychain; none where the restore brings no secrets.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``.
  public init(dataDirectory: String, keychainSlots: [NewKeychainSlot] = []) throws {
    scratch = try ScratchDirectory(becoming: dataDirectory)
    keychain = RestoredKeychain(slots: keychainSlots, in: scratch)
  }

  /// Goes on with what a run that was stopped has staged.
  ///
  /// - Parameters:
  ///   - path: the scratch directory.
  ///   - dataDirectory: what it becomes.
  ///   - secrets: how many secrets are in its keychain, which were compared with the archive's.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``, or ``SystemError`` where the scratch directory has gone.
  public init(resuming path: String, of dataDirectory: String, secrets: [Section: UInt64]) throws {
    scratch = try ScratchDirectory(resuming: path, of: dataDirectory, replaces: false)
    keychain = RestoredKeychain(staged: secrets, in: scratch)
    isResumed = StoreLoader.isBegun(in: try scratch.make())
  }

  /// Where everything is made, and the number that the directory keeps; made here where it is not there yet.
  public func makeScratch() throws -> (path: String, inode: UInt64) {
    (try scratch.make(), try scratch.inode())
  }

  /// Leaves what is staged to a run that goes on with it.
  public func leave() { scratch.leave() }

  /// What an earlier run has staged.
  public var staged: [Section: UInt64] { loader?.staged ?? [:] }

  /// Removes what runs that were killed had begun beside this data directory.
  ///
  /// The caller holds the machine's lock, so that no other run is at work there.
  public static func removeLeftovers(besideDataDirectory path: String) throws {
    try ScratchDirectory.removeLeftovers(of: path)
  }

  /// Makes the database, with the columns of a newer version that the manifest announces.
  public func begin(_ manifest: Manifest, vaultID: VaultID) throws {
    let directory = try scratch.make()
    if isResumed {
      loader = try StoreLoader(resuming: directory, manifest: manifest)
    } else {
      try scratch.removeStore()
      loader = try StoreLoader(in: directory, vaultID: vaultID, manifest: manifest)
    }
  }

  /// Decodes a section's records on workers and inserts them here, in their order.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` for a record that is not what its section holds.
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
