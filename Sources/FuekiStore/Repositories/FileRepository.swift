public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// Other wallets' files in a store, byte for byte, in parts.
public struct FileRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<FilePart>()

  init(store: WalletStore) { self.store = store }

  /// Returns the ids of all files.
  public func ids() throws -> [Data] {
    try store.read { try Data.fetchAll($0, sql: "SELECT DISTINCT id FROM files ORDER BY id") }
  }

  /// Returns the parts of a file by offset.
  public func parts(of id: Data) throws -> [FilePart] {
    try store.read { try shelf.fetch("WHERE files.id = ? ORDER BY files.offset", [id], in: $0) }
  }

  /// Adds parts of files, all or none.
  public func insert(_ parts: [FilePart]) throws { try store.write { try shelf.insert(parts, in: $0) } }

  /// Removes a file with all its parts.
  @discardableResult
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The files kept byte for byte.
  public var files: FileRepository { FileRepository(store: self) }
}
