public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The verifiable credentials of a store, and the presentations of credentials and ID tokens.
public struct CredentialRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Credential>()
  private let sharingShelf = RecordShelf<CredentialSharing>()
  private let tokenShelf = RecordShelf<IdTokenSharing>()

  init(store: WalletStore) { self.store = store }

  /// Returns all credentials in order of insertion.
  public func all() throws -> [Credential] {
    try store.read { try shelf.fetch("ORDER BY credentials.row_id", [], in: $0) }
  }

  /// Returns the credential with an id.
  public func find(id: Data) throws -> Credential? {
    try store.read { try shelf.fetch(id.databaseValue, in: $0) }
  }

  /// Returns the presentations of credentials in order of insertion.
  public func sharings() throws -> [CredentialSharing] {
    try store.read { try sharingShelf.fetch("ORDER BY credential_sharing.row_id", [], in: $0) }
  }

  /// Returns the presentations of ID tokens.
  public func tokenSharings() throws -> [IdTokenSharing] {
    try store.read { try tokenShelf.fetch("ORDER BY id_token_sharing.row_id", [], in: $0) }
  }

  /// Adds a credential, or replaces the one with its id.
  public func save(_ credential: Credential) throws { try store.write { try shelf.save(credential, in: $0) } }

  /// Records a presentation of a credential.
  public func save(_ sharing: CredentialSharing) throws {
    try store.write { try sharingShelf.save(sharing, in: $0) }
  }

  /// Records a presentation of an ID token.
  public func save(_ sharing: IdTokenSharing) throws {
    try store.write { try tokenShelf.save(sharing, in: $0) }
  }

  /// Removes a credential.
  ///
  /// Its recorded presentations stay.
  @discardableResult
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The credentials.
  public var credentials: CredentialRepository { CredentialRepository(store: self) }
}
