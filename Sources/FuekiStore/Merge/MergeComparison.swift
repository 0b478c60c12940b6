internal import FoundationEssentials
public import FuekiArchive
public import FuekiBackup
internal import FuekiSystem
public import FuekiWallet
internal import GRDB

/// What a restore into a data directory with a wallet in it would do: the same comparison as ``MergeDestination``, and
/// nothing written.
///
/// The wallet may be running: it is read as it is at one moment.
public final class MergeComparison: Destination {
  /// The data directory's keychain, to be compared with the archive's secrets.
  public let keychain: MergedKeychain
  /// What the restore would come to.
  public var report: MergeReport { keychain.joined(with: sections) }

  private var sections = MergeReport()
  private let context: MergeContext
  private let queue: DatabaseQueue
  private let path: String

  /// Begins to read a wallet's store.
  ///
  /// - Throws: as ``MergeDestination`` does, but for a wallet that is running.
  public init(dataDirectory: String, archive: any UnlockedArchive) throws {
    try PresentDirectory.check(dataDirectory)
    let path = DataDirectory.storePath(in: dataDirectory)
    self.path = path
    var configuration = StoreConnection.configuration()
    // One state of the store, from the first section to the last.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
    let options = configuration
    let queue = try DatabaseFailure.translating(path) {
      try DatabaseQueue(path: path, configuration: options)
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

  /// The public sides of the key shares that are there.
  public func presentShares() throws -> [KeyShareDescriptor] {
    let stored: [KeyShareDescriptor] = try work {
      try RecordShelf(context.table(.keyShareDescriptors)).fetch(
        "ORDER BY key_share_descriptors.row_id", [], in: $0)
    }
    let held = keychain.presentShares
    return held + stored.filter { one in !held.contains { $0.id == one.id } }
  }

  /// Nothing: the wallet was looked into before.
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

  /// Lets the wallet's store go.
  public func finish() throws {
    try work { try $0.rollback() }
    try DatabaseFailure.translating(path) { try queue.close() }
  }

  private func work<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) { try queue.inDatabase(body) }
  }
}
