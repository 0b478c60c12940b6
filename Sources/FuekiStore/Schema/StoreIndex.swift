internal import FuekiWallet

/// The indices, limited to those that queries need: with a million rows, each costs a restore half a second.
package struct StoreIndex: Sendable {
  package let name: String
  let sql: String
  /// The first version of the store with the index.
  package let version: Int

  private init(_ name: String, on target: String, since version: Int = 1) {
    self.name = name
    self.version = version
    sql = "CREATE INDEX \(name) ON \(target)"
  }

  /// The number of indexed bytes of a packed id or hash: nearly unique, and half as long to sort.
  static let keyBytes = 8

  /// Returns the indexed part of a column.
  ///
  /// Queries must use the same expression.
  static func key(_ column: String) -> String { "substr(\(column), 2, \(keyBytes))" }

  /// Returns the query for the row of an abundant kind's record with an id, which its index answers.
  ///
  /// - Parameters:
  ///   - id: the id, as a parameter.
  ///   - table: the kind's table.
  /// - Returns: the query.
  static func row(ofID id: String, in table: StoreTable.Name) -> String {
    "SELECT row_id FROM \(table.rawValue) WHERE \(key("id")) = \(key(id)) AND id = \(id)"
  }

  static let transactionsByID = "transactions_by_id"

  package static let all = identities + queries + lookUps

  /// Finds one record by its id: updates, merges, and receipts in search of their transaction.
  private static let identities = StoreTable.all.compactMap { table -> StoreIndex? in
    // A record that shares its parent's row is found through the parent.
    guard table.kind.rowParent == nil else { return nil }
    let traits = table.kind.traits
    let id = traits.contains(.abundant) ? key(table.identity) : table.identity
    let name = table.name.rawValue
    return StoreIndex(
      "\(name)_by_\(table.identity)", on: "\(name) (\(id)\(traits.contains(.inParts) ? ", offset" : ""))")
  }

  private static let queries: [StoreIndex] = [
    // A wallet's transactions, newest first, page by page; deletion of a wallet.
    StoreIndex("transactions_by_wallet", on: "transactions (wallet_row, timestamp)"),
    // A transaction by its hash on a chain.
    StoreIndex("transactions_by_hash", on: "transactions (\(key("hash")))"),
    // Transactions for a resync to query.
    StoreIndex("transactions_pending", on: "transactions (wallet_row) WHERE status = 'pending'"),
    // Records that arrived before their parent.
    StoreIndex("transactions_unclaimed", on: "transactions (wallet_id) WHERE wallet_row IS NULL"),
    StoreIndex("unclaimed_receipts_by_transaction", on: "unclaimed_receipts (\(key("transaction_id")))"),
    StoreIndex("assets_by_wallet", on: "assets (wallet_row)"),
    StoreIndex("threads_by_owner", on: "threads (owner_row)"),
    // Threads that a user co-authors.
    StoreIndex("thread_co_authors_by_user", on: "thread_co_authors (user_id)"),
    // A thread's messages in order of writing.
    StoreIndex("messages_by_thread", on: "messages (thread_row, created_at)"),
  ]

  /// Find records by their fields.
  ///
  /// The lines of a released version never change, and it gets no further ones.
  private static let lookUps: [StoreIndex] = [
    StoreIndex("wallets_by_chain", on: "wallets (chain_family, chain_id)", since: 3),
    StoreIndex("wallets_by_address", on: "wallets (address)", since: 3),
    StoreIndex("contacts_by_chain", on: "contacts (chain_family, chain_id)", since: 3),
    StoreIndex("contacts_by_address", on: "contacts (address)", since: 3),
    StoreIndex("credentials_by_issuer", on: "credentials (iss)", since: 3),
    StoreIndex("credentials_by_type", on: "credentials (type)", since: 3),
    StoreIndex("credentials_by_expiry", on: "credentials (exp)", since: 3),
    StoreIndex("credential_sharing_by_credential", on: "credential_sharing (credential_id)", since: 3),
    StoreIndex("credential_sharing_by_party", on: "credential_sharing (rp)", since: 3),
    StoreIndex("id_token_sharing_by_party", on: "id_token_sharing (rp)", since: 3),
    StoreIndex("key_share_descriptors_by_key", on: "key_share_descriptors (group_public_key)", since: 3),
    // Few messages cite others.
    StoreIndex("message_citations_by_cited", on: "message_citations (cited_id)", since: 3),
  ]
}
