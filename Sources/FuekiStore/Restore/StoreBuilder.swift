public import FuekiArchive
internal import FuekiBackup
public import FuekiWallet
internal import FuekiCrypto
internal import SwiftProtobuf

/// Builds a new store from many records, such as a sample for benchmarks.
///
/// It loads them like a restore. The complete data directory appears in ``finish()``.
public final class StoreBuilder {
  private let scratch: ScratchDirectory
  private let loader: StoreLoader

  /// Starts a store in a missing or empty data directory.
  ///
  /// If `vaultID` is nil, it is random.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``.
  public init(dataDirectory: String, vaultID: VaultID? = nil) throws {
    scratch = try ScratchDirectory(becoming: dataDirectory)
    loader = try StoreLoader(in: try scratch.make(), vaultID: vaultID ?? .random())
  }

  /// Inserts records.
  ///
  /// Receipts must follow their transactions.
  public func insert<Record: SectionRecord>(_ records: [Record]) throws {
    var block: [UInt8] = []
    for record in records { try RecordFraming.append(try record.serializedBytes() as [UInt8], to: &block) }
    try insert(framed: block, of: Record.section)
  }

  /// Inserts framed records, each preceded by its length.
  public func insert(framed block: [UInt8], of section: Section) throws {
    guard let table = StoreTable.of(section) else { return }
    var messages: [Range<Int>] = []
    var offset = 0
    while let message = try RecordFraming.next(in: block.span, at: &offset) { messages.append(message) }
    try loader.insert(try loader.preparation(of: table).prepare(block, messages), into: table)
  }

  /// Builds the indices, checks the database, and puts the data directory in place.
  ///
  /// - Returns: the store, open for use.
  @discardableResult
  public func finish() throws -> WalletStore {
    try loader.finish()
    try scratch.settle()
    return try WalletStore.open(scratch.destination)
  }
}
