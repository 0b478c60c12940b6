internal import FoundationEssentials
public import FuekiArchive
public import FuekiBackup
internal import FuekiSystem
public import FuekiWallet
internal import GRDB

/// A dry run of a merge: compares like ``MergeDestination`` but writes nothing.
///
/// The wallet may be running: one snapshot of it is read.
public final class MergeComparison: Destination {
  /// The data directory's keychain, for comparison with the archive's secrets.
  public let keychain: MergedKeychain
  /// The result that the restore would have.
  public var report: MergeReport { keychain.joined(with: sections) }

  private var sections = MergeReport()
  private let context: MergeContext
  private let queue: DatabaseQueue
  private let path: String

  /// Starts reading a wallet's store.
  ///
  /// - Throws: as ``MergeDestination``, but never because the wallet is running.
  public init(dataDirectory: String, archive: any UnlockedArchive) throws {
    try PresentDirectory.check(dataDirectory)
    let path = DataDirectory.storePath(in: dataDirectory)
    self.path = path
    var configuration = StoreConnection.configuration()
    // One snapshot of the store for all sections.
    configuration.allowsUnsafeTransactions = true
    let options = configuration
    let queue = try DatabaseFailure.translating(path) {
      try DatabaseQueue(at: path, configuration: options)
    }
    self.queue = queue
    let context = try DatabaseFailure.translating(path) {
      try queue.inDatabase { database in
        _ = try StoreConnection.schemaVersion(of: database, path: path)
        try database.beginTransaction(.deferred)
        return try MergeContext(in: database, path: path, policy: .fail, writes: false, manifest: Manifest())
      }
    }
    self.context = context
    try DatabaseFailure.translating(path) {
      try queue.inDatabase { _ in try WalletMatching(context).run(archive, restoresWallets: true) }
    }
    keychain = try MergedKeychain(in: dataDirectory, context) { share, name in
      try DatabaseFailure.translating(path) {
        try queue.inDatabase { _ in try context.names.note(share: share, is: name) }
      }
    }
  }

  /// Whether there is a wallet to compare with, running or not.
  public static func isThere(_ dataDirectory: String) throws -> Bool {
    do {
      _ = try ScratchDirectory(becoming: dataDirectory)
      return false
    } catch PlaceError.wouldOverwrite {
      try PresentDirectory.check(dataDirectory)
      return true
    }
  }

  /// Returns the public parts of the existing key shares.
  public func presentShares() throws -> [KeyShareDescriptor] {
    let stored: [KeyShareDescriptor] = try work {
      try RecordShelf(context.table(.keyShareDescriptors)).fetch(
        "ORDER BY key_share_descriptors.row_id", [], in: $0)
    }
    let held = keychain.presentShares
    return held + stored.filter { one in !held.contains { $0.id == one.id } }
  }

  /// Does nothing: the wallet was inspected before.
  public func begin(_ manifest: Manifest, vaultID: VaultID) throws {}

  /// Compares a section's records.
  public func restore(_ records: SectionRecords) throws -> UInt64 {
    guard let table = StoreTable.of(records.section) else { return 0 }
    let merge = try work { _ in try table.merge(context) }
    try records.forEachBlock(decode: { $0 }) { block in
      try work { _ in
        for message in block.messages { try merge.take(Array(block.bytes[message])) }
      }
    }
    try work { _ in try merge.finish() }
    sections.take(merge, of: records.section)
    return merge.counts.all
  }

  /// Releases the wallet's store.
  public func finish() throws {
    try work { try $0.rollback() }
    try DatabaseFailure.translating(path) { try queue.close() }
  }

  private func work<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try queue.inDatabase(body) }
  }
}
