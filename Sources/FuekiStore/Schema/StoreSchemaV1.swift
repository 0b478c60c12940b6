internal import GRDB

/// Version 1 of the store exactly as released.
///
/// It never changes: an old store must go through the same migrations as a new one. Later additions to the
/// tables are separate migrations.
enum StoreSchemaV1 {
  /// Creates the tables and indices of version 1.
  static func make(in database: Database) throws {
    // "FUEK".
    try database.execute(sql: "PRAGMA application_id = 1179993419")
    try database.execute(sql: tables)
    try database.execute(sql: indices)
  }

  private static let tables = """
    CREATE TABLE meta (
      id INTEGER PRIMARY KEY CHECK (id = 1), vault_id BLOB NOT NULL, schema INTEGER NOT NULL);
    CREATE TABLE marks (row_id INTEGER PRIMARY KEY, section INTEGER, id BLOB, problem TEXT);
    CREATE TABLE price_cache (
      asset TEXT, currency TEXT, price TEXT, fetched_at INTEGER, PRIMARY KEY (asset, currency));
    CREATE TABLE sessions (name TEXT PRIMARY KEY, value BLOB, updated_at INTEGER);
    CREATE TABLE wallets (row_id INTEGER PRIMARY KEY, "id" BLOB, "name" TEXT, "kind" TEXT, \
    "chain_family" TEXT, "chain_id" TEXT, "address" BLOB, "derivation_path" TEXT, "balance" \
    TEXT, "gap_limit" INTEGER, "nonce" INTEGER, "network" TEXT, "genesis_hash" BLOB, \
    "created_at" INTEGER, "updated_at" INTEGER, "group_public_key" BLOB, "details" BLOB, \
    "extra" BLOB);
    CREATE TABLE assets (row_id INTEGER PRIMARY KEY, "wallet_row" INTEGER REFERENCES wallets \
    (row_id) ON DELETE CASCADE, "wallet_id" BLOB, "id" BLOB, "kind" TEXT, "contract" BLOB, \
    "symbol" TEXT, "name" TEXT, "decimals" INTEGER, "balance" TEXT, "token_id" TEXT, \
    "first_seen_block" INTEGER, "created_at" INTEGER, "updated_at" INTEGER, "extra" BLOB);
    CREATE TABLE contacts (row_id INTEGER PRIMARY KEY, "id" BLOB, "name" TEXT, "address" BLOB, \
    "chain_family" TEXT, "chain_id" TEXT, "notes" TEXT, "created_at" INTEGER, "updated_at" \
    INTEGER, "extra" BLOB);
    CREATE TABLE settings (row_id INTEGER PRIMARY KEY, "key" TEXT, "value" TEXT, "updated_at" \
    INTEGER, "extra" BLOB);
    CREATE TABLE key_share_descriptors (row_id INTEGER PRIMARY KEY, "id" BLOB, "wallet_id" \
    BLOB, "protocol" TEXT, "curve" TEXT, "party_index" INTEGER, "threshold" INTEGER, "total" \
    INTEGER, "epoch" INTEGER, "group_public_key" BLOB, "own_public_point" BLOB, "party_id" \
    BLOB, "encoding" TEXT, "name" TEXT, "created_at" INTEGER, "points" BLOB, "extra" BLOB);
    CREATE TABLE credentials (row_id INTEGER PRIMARY KEY, "id" BLOB, "format" TEXT, \
    "credential" TEXT, "c_nonce" TEXT, "c_nonce_expires_in" INTEGER, "iss" TEXT, "iat" INTEGER, \
    "exp" INTEGER, "type" TEXT, "access_token" TEXT, "credential_issuer_metadata" TEXT, "extra" \
    BLOB);
    CREATE TABLE files (row_id INTEGER PRIMARY KEY, "id" BLOB, "source" TEXT, "path" BLOB, \
    "offset" INTEGER, "total" INTEGER, "modified_at" INTEGER, "mode" INTEGER, "format" TEXT, \
    "address" BLOB, "kdf" TEXT, "content" BLOB, "extra" BLOB);
    CREATE TABLE transactions (row_id INTEGER PRIMARY KEY, "wallet_row" INTEGER REFERENCES \
    wallets (row_id) ON DELETE CASCADE, "wallet_id" BLOB, "id" BLOB, "hash" BLOB, \
    "from_address" BLOB, "to_address" BLOB, "amount" TEXT, "fee" TEXT, "status" TEXT, \
    "timestamp" INTEGER, "block_number" INTEGER, "nonce" INTEGER, "details" BLOB, "extra" BLOB);
    CREATE TABLE receipts (row_id INTEGER PRIMARY KEY REFERENCES transactions (row_id) ON \
    DELETE CASCADE, "id" BLOB, "gas_used" TEXT, "success" INTEGER, "logs" BLOB, "logs_json" \
    TEXT, "extra" BLOB);
    CREATE TABLE unclaimed_receipts (row_id INTEGER PRIMARY KEY, "transaction_id" BLOB, "id" \
    BLOB, "gas_used" TEXT, "success" INTEGER, "logs" BLOB, "logs_json" TEXT, "extra" BLOB);
    CREATE TABLE credential_sharing (row_id INTEGER PRIMARY KEY, "id" BLOB, "platform" TEXT, \
    "rp" TEXT, "account_index" INTEGER, "created_at" INTEGER, "credential_id" TEXT, "claims" \
    BLOB, "rp_name" TEXT, "rp_location" TEXT, "rp_contact_url" TEXT, "privacy_policy_url" TEXT, \
    "logo_url" TEXT, "extra" BLOB);
    CREATE TABLE id_token_sharing (row_id INTEGER PRIMARY KEY, "id" BLOB, "platform" TEXT, "rp" \
    TEXT, "account_index" INTEGER, "created_at" INTEGER, "extra" BLOB);
    CREATE TABLE users (row_id INTEGER PRIMARY KEY, "id" BLOB, "name" TEXT, "email" TEXT, \
    "created_at" INTEGER, "extra" BLOB);
    CREATE TABLE threads (row_id INTEGER PRIMARY KEY, "owner_row" INTEGER REFERENCES users \
    (row_id) ON DELETE CASCADE, "owner_id" BLOB, "id" BLOB, "title" TEXT, "created_at" INTEGER, \
    "updated_at" INTEGER, "extra" BLOB);
    CREATE TABLE messages (row_id INTEGER PRIMARY KEY, "thread_row" INTEGER REFERENCES threads \
    (row_id) ON DELETE CASCADE, "thread_id" BLOB, "id" BLOB, "author_id" BLOB, "text" TEXT, \
    "created_at" INTEGER, "extra" BLOB);
    CREATE TABLE thread_co_authors (
      thread_row INTEGER NOT NULL REFERENCES threads (row_id) ON DELETE CASCADE,
      position INTEGER NOT NULL, user_id BLOB NOT NULL,
      PRIMARY KEY (thread_row, position)) WITHOUT ROWID;
    CREATE TABLE message_citations (
      message_row INTEGER NOT NULL REFERENCES messages (row_id) ON DELETE CASCADE,
      position INTEGER NOT NULL, cited_id BLOB NOT NULL,
      PRIMARY KEY (message_row, position)) WITHOUT ROWID;
    """

  private static let indices = """
    CREATE INDEX transactions_by_wallet ON transactions (wallet_row, timestamp);
    CREATE INDEX transactions_by_id ON transactions (substr(id, 2, 8));
    CREATE INDEX transactions_by_hash ON transactions (substr(hash, 2, 8));
    CREATE INDEX transactions_pending ON transactions (wallet_row) WHERE status = 'pending';
    CREATE INDEX transactions_unclaimed ON transactions (wallet_id) WHERE wallet_row IS NULL;
    CREATE INDEX unclaimed_receipts_by_transaction ON unclaimed_receipts \
    (substr(transaction_id, 2, 8));
    CREATE INDEX assets_by_wallet ON assets (wallet_row);
    CREATE INDEX wallets_by_id ON wallets (id);
    CREATE INDEX assets_by_id ON assets (id);
    CREATE INDEX contacts_by_id ON contacts (id);
    CREATE INDEX settings_by_key ON settings (key);
    CREATE INDEX key_share_descriptors_by_id ON key_share_descriptors (id);
    CREATE INDEX credentials_by_id ON credentials (id);
    CREATE INDEX files_by_id ON files (id, offset);
    CREATE INDEX credential_sharing_by_id ON credential_sharing (id);
    CREATE INDEX id_token_sharing_by_id ON id_token_sharing (id);
    CREATE INDEX users_by_id ON users (id);
    CREATE INDEX threads_by_id ON threads (id);
    CREATE INDEX threads_by_owner ON threads (owner_row);
    CREATE INDEX thread_co_authors_by_user ON thread_co_authors (user_id);
    CREATE INDEX messages_by_id ON messages (substr(id, 2, 8));
    CREATE INDEX messages_by_thread ON messages (thread_row, created_at);
    """
}
