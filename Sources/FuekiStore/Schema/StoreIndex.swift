/// The indices, only those that a query needs: at a million rows each costs a restore half a second.
struct StoreIndex: Sendable {
  let name: String
  let sql: String

  private init(_ name: String, on target: String) {
    self.name = name
    sql = "CREATE INDEX \(name) ON \(target)"
  }

  /// The bytes of a packed id or hash that the index holds: enough to be nearly unique, half as long to sort.
  static let keyBytes = 8

  /// The indexed part of a column; queries must spell it the same way.
  static func key(_ column: String) -> String { "substr(\(column), 2, \(keyBytes))" }

  static let transactionsByID = "transactions_by_id"

  static let all: [StoreIndex] = [
    // A wallet's transactions, newest first, page by page; deletion of a wallet.
    StoreIndex("transactions_by_wallet", on: "transactions (wallet_row, timestamp)"),
    // Status updates, and receipts that look for their transaction.
    StoreIndex(transactionsByID, on: "transactions (\(key("id")))"),
    // A transaction that a chain names.
    StoreIndex("transactions_by_hash", on: "transactions (\(key("hash")))"),
    // What a resync asks the chain about.
    StoreIndex("transactions_pending", on: "transactions (wallet_row) WHERE status = 'pending'"),
    // Records that came before their parent, when it comes.
    StoreIndex("transactions_unclaimed", on: "transactions (wallet_id) WHERE wallet_row IS NULL"),
    StoreIndex("unclaimed_receipts_by_transaction", on: "unclaimed_receipts (\(key("transaction_id")))"),
    StoreIndex("assets_by_wallet", on: "assets (wallet_row)"),
    StoreIndex("wallets_by_id", on: "wallets (id)"),
    StoreIndex("assets_by_id", on: "assets (id)"),
    StoreIndex("contacts_by_id", on: "contacts (id)"),
    StoreIndex("settings_by_key", on: "settings (key)"),
    StoreIndex("key_share_descriptors_by_id", on: "key_share_descriptors (id)"),
    StoreIndex("credentials_by_id", on: "credentials (id)"),
    StoreIndex("files_by_id", on: "files (id, offset)"),
    StoreIndex("credential_sharing_by_id", on: "credential_sharing (id)"),
    StoreIndex("id_token_sharing_by_id", on: "id_token_sharing (id)"),
    StoreIndex("users_by_id", on: "users (id)"),
    StoreIndex("threads_by_id", on: "threads (id)"),
    StoreIndex("threads_by_owner", on: "threads (owner_row)"),
    // Threads that somebody writes in with others.
    StoreIndex("thread_co_authors_by_user", on: "thread_co_authors (user_id)"),
    StoreIndex("messages_by_id", on: "messages (\(key("id")))"),
    // A thread's messages in the order they were written.
    StoreIndex("messages_by_thread", on: "messages (thread_row, created_at)"),
  ]
}
