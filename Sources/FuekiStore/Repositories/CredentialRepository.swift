public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The verifiable credentials of a store, and whom they and ID tokens were shown to.
public struct CredentialRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Credential>()
  private let sharingShelf = RecordShelf<CredentialSharing>()
  private let tokenShelf = RecordShelf<IdTokenSharing>()

  init(store: WalletStore) { self.store = store }

  /// All credentials, in the order they came.
  public func all() throws -> [Credential] {
    try store.read { try shelf.fetch("ORDER BY credentials.row_id", [], in: $0) }
  }

  /// The credential with an id.
  public func find(id: Data) throws -> Credential? {
    try store.read { try shelf.fetch(id.databaseValue, in: $0) }
  }

  /// To whom credentials were shown, in the order it happened to be noted.
  public func sharings() throws -> [CredentialSharing] {
    try store.read { try sharingShelf.fetch("ORDER BY credential_sharing.row_id", [], in: $0) }
  }

  /// To whom ID tokens were shown.
  public func tokenSharings() throws -> [IdTokenSharing] {
    try store.read { try tokenShelf.fetch("ORDER BY id_token_sharing.row_id", [], in: $0) }
  }

  /// Adds a credential, or puts it in the place of the one with its id.
  public func save(_ credential: Credential) throws { try store.write { try shelf.save(credential, in: $0) } }

  /// Adds a note of a credential that was shown.
  public func save(_ sharing: CredentialSharing) throws {
    try store.write { try sharingShelf.save(sharing, in: $0) }
  }

  /// Adds a note of an ID token that was shown.
  public func save(_ sharing: IdTokenSharing) throws {
    try store.write { try tokenShelf.save(sharing, in: $0) }
  }

  /// Removes a credential; what is noted of its use stays.
  @discardableResult
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The credentials.
  public var credentials: CredentialRepository { CredentialRepository(store: self) }
}
