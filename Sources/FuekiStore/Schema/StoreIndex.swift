internal import FuekiWallet

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

  static let all = identities + queries

  /// One record by its id: updates, merges, and receipts that look for their transaction.
  private static let identities = StoreTable.all.compactMap { table -> StoreIndex? in
    // What has its parent's row is found through the parent.
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
    // A transaction that a chain names.
    StoreIndex("transactions_by_hash", on: "transactions (\(key("hash")))"),
    // What a resync asks the chain about.
    StoreIndex("transactions_pending", on: "transactions (wallet_row) WHERE status = 'pending'"),
    // Records that came before their parent, when it comes.
    StoreIndex("transactions_unclaimed", on: "transactions (wallet_id) WHERE wallet_row IS NULL"),
    StoreIndex("unclaimed_receipts_by_transaction", on: "unclaimed_receipts (\(key("transaction_id")))"),
    StoreIndex("assets_by_wallet", on: "assets (wallet_row)"),
    StoreIndex("threads_by_owner", on: "threads (owner_row)"),
    // Threads that somebody writes in with others.
    StoreIndex("thread_co_authors_by_user", on: "thread_co_authors (user_id)"),
    // A thread's messages in the order they were written.
    StoreIndex("messages_by_thread", on: "messages (thread_row, created_at)"),
  ]
}
