package import FoundationEssentials
package import FuekiWallet
internal import FuekiBackup
package import FuekiStore
internal import GRDB

/// Other wallets' files in a store, byte for byte, in parts.
package struct FileRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<FilePart>()

  init(store: WalletStore) { self.store = store }

  /// Returns the parts of a file by offset.
  package func parts(of id: Data) throws -> [FilePart] {
    try store.read { try shelf.fetch("WHERE files.id = ? ORDER BY files.offset", [id], in: $0) }
  }

  /// Adds parts of files, all or none.
  package func insert(_ parts: [FilePart]) throws { try store.write { try shelf.insert(parts, in: $0) } }
}

extension WalletStore {
  /// The files kept byte for byte.
  package var files: FileRepository { FileRepository(store: self) }
}
