internal import FoundationEssentials
package import FuekiWallet
internal import FuekiBackup
package import FuekiStore
internal import GRDB

/// The verifiable credentials of a store, and the presentations of credentials and ID tokens.
package struct CredentialRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Credential>()
  private let sharingShelf = RecordShelf<CredentialSharing>()
  private let tokenShelf = RecordShelf<IdTokenSharing>()

  init(store: WalletStore) { self.store = store }

  /// Returns all credentials in order of insertion.
  package func all() throws -> [Credential] {
    try store.read { try shelf.fetch("ORDER BY credentials.row_id", [], in: $0) }
  }

  /// Returns the presentations of credentials in order of insertion.
  package func sharings() throws -> [CredentialSharing] {
    try store.read { try sharingShelf.fetch("ORDER BY credential_sharing.row_id", [], in: $0) }
  }

  /// Returns the presentations of ID tokens.
  package func tokenSharings() throws -> [IdTokenSharing] {
    try store.read { try tokenShelf.fetch("ORDER BY id_token_sharing.row_id", [], in: $0) }
  }

  /// Adds a credential, or replaces the one with its id.
  package func save(_ credential: Credential) throws {
    try store.write { try shelf.save(credential, in: $0) }
  }

  /// Records a presentation of a credential.
  package func save(_ sharing: CredentialSharing) throws {
    try store.write { try sharingShelf.save(sharing, in: $0) }
  }

  /// Records a presentation of an ID token.
  package func save(_ sharing: IdTokenSharing) throws {
    try store.write { try tokenShelf.save(sharing, in: $0) }
  }
}

extension WalletStore {
  /// The credentials.
  package var credentials: CredentialRepository { CredentialRepository(store: self) }
}
