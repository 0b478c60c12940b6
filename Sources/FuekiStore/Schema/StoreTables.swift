internal import FuekiWallet

/// The one list of what the store keeps, column by column, with the numbers of records.proto.
///
/// Encoding, decoding, the schema and the importer all follow it; a column that is not here is unknown.
extension StoreTable {
  static let all: [StoreTable] = [
    wallets, assets, contacts, settings, keyShareDescriptors, credentials, files, transactions, receipts,
    unclaimedReceipts, credentialSharing, idTokenSharing, users, threads, messages,
  ]

  static let wallets = StoreTable(
    .wallets, .wallets,
    [
      .init("id", 1, .bytes), .init("name", 2, .text), .init("kind", 3, .text),
      .init("chain_family", 4, .text), .init("chain_id", 5, .text), .init("address", 6, .bytes),
      .init("derivation_path", 7, .text), .init("balance", 9, .optionalText),
      .init("gap_limit", 14, .optionalNumber), .init("nonce", 18, .optionalNumber),
      .init("network", 19, .text), .init("genesis_hash", 20, .bytes),
      .init("created_at", 21, .optionalSigned), .init("updated_at", 22, .optionalSigned),
      .init("group_public_key", 23, .bytes),
      // Descriptors, checkpoints, keychains, endpoints, accounts and hazards: read with their wallet only.
      .init("details", 0, .wire([8, 10, 11, 12, 13, 16, 17, 24])),
    ])

  static let assets = StoreTable(
    .assets, .assets,
    [
      .init("wallet", 2, .parent(.wallets)), .init("id", 1, .bytes), .init("kind", 3, .text),
      .init("contract", 4, .bytes), .init("symbol", 5, .text), .init("name", 6, .text),
      .init("decimals", 7, .optionalNumber), .init("balance", 8, .optionalText),
      .init("token_id", 9, .text), .init("first_seen_block", 10, .optionalNumber),
      .init("created_at", 11, .optionalSigned), .init("updated_at", 12, .optionalSigned),
    ])

  static let contacts = StoreTable(
    .contacts, .contacts,
    [
      .init("id", 1, .bytes), .init("name", 2, .text), .init("address", 3, .bytes),
      .init("chain_family", 4, .text), .init("chain_id", 5, .text), .init("notes", 6, .text),
      .init("created_at", 7, .optionalSigned), .init("updated_at", 8, .optionalSigned),
    ])

  static let settings = StoreTable(
    .settings, .settings,
    [.init("key", 1, .text), .init("value", 2, .text), .init("updated_at", 3, .optionalSigned)])

  static let keyShareDescriptors = StoreTable(
    .keyShareDescriptors, .keyShareDescriptors,
    [
      .init("id", 1, .bytes), .init("wallet_id", 2, .optionalBytes), .init("protocol", 3, .text),
      .init("curve", 4, .text), .init("party_index", 5, .optionalNumber),
      .init("threshold", 6, .optionalNumber), .init("total", 7, .optionalNumber),
      .init("epoch", 8, .optionalNumber), .init("group_public_key", 9, .bytes),
      .init("own_public_point", 10, .bytes), .init("party_id", 11, .bytes),
      .init("encoding", 13, .text), .init("name", 14, .text), .init("created_at", 16, .optionalSigned),
      .init("points", 0, .wire([12])),
    ])

  static let credentials = StoreTable(
    .credentials, .credentials,
    [
      .init("id", 1, .bytes), .init("format", 2, .text), .init("credential", 3, .text),
      .init("c_nonce", 4, .optionalText), .init("c_nonce_expires_in", 5, .optionalNumber),
      .init("iss", 6, .optionalText), .init("iat", 7, .optionalSigned), .init("exp", 8, .optionalSigned),
      .init("type", 9, .optionalText), .init("access_token", 10, .optionalText),
      .init("credential_issuer_metadata", 11, .optionalText),
    ])

  static let files = StoreTable(
    .files, .files,
    [
      .init("id", 1, .bytes), .init("source", 2, .text), .init("path", 3, .bytes),
      .init("offset", 4, .number), .init("total", 5, .number), .init("modified_at", 7, .optionalSigned),
      .init("mode", 8, .optionalNumber), .init("format", 9, .text), .init("address", 10, .bytes),
      .init("kdf", 11, .text), .init("content", 6, .bytes),
    ])

  static let transactions = StoreTable(
    .transactions, .transactions,
    [
      .init("wallet", 2, .parent(.wallets)), .init("id", 1, .bytes), .init("hash", 3, .bytes),
      .init("from_address", 4, .bytes), .init("to_address", 5, .bytes), .init("amount", 6, .text),
      .init("fee", 7, .optionalText), .init("status", 8, .text), .init("timestamp", 9, .optionalSigned),
      .init("block_number", 10, .optionalNumber), .init("nonce", 11, .optionalNumber),
      // Gas price and limit, data and metadata: read with their transaction only, and a million times.
      .init("details", 0, .wire([12, 13, 14, 16])),
    ])

  private static let receiptColumns: [StoreColumn] = [
    .init("id", 1, .bytes), .init("gas_used", 3, .optionalText), .init("success", 5, .optionalNumber),
    .init("logs", 0, .wire([4])), .init("logs_json", 6, .optionalText),
  ]

  /// Receipts of transactions that are in the store, each with its transaction's `row_id`.
  static let receipts = StoreTable(.receipts, .receipts, receiptColumns)

  /// Receipts that no transaction in the store has, or that one has beside another.
  static let unclaimedReceipts = StoreTable(
    .unclaimedReceipts, .receipts, [.init("transaction_id", 2, .bytes)] + receiptColumns)

  static let credentialSharing = StoreTable(
    .credentialSharing, .credentialSharing,
    [
      .init("id", 1, .bytes), .init("platform", 2, .text), .init("rp", 3, .text),
      .init("account_index", 4, .optionalNumber), .init("created_at", 5, .optionalSigned),
      .init("credential_id", 6, .text), .init("claims", 0, .wire([7])), .init("rp_name", 8, .optionalText),
      .init("rp_location", 9, .optionalText), .init("rp_contact_url", 10, .optionalText),
      .init("privacy_policy_url", 11, .optionalText), .init("logo_url", 12, .optionalText),
    ])

  static let idTokenSharing = StoreTable(
    .idTokenSharing, .idTokenSharing,
    [
      .init("id", 1, .bytes), .init("platform", 2, .text), .init("rp", 3, .text),
      .init("account_index", 4, .optionalNumber), .init("created_at", 5, .optionalSigned),
    ])

  static let users = StoreTable(
    .users, .users,
    [
      .init("id", 1, .bytes), .init("name", 2, .text), .init("email", 3, .optionalText),
      .init("created_at", 4, .optionalSigned),
    ])

  static let threads = StoreTable(
    .threads, .threads,
    [
      .init("owner", 2, .parent(.users)), .init("id", 1, .bytes), .init("title", 3, .text),
      .init("co_authors", 4, .list(.coAuthors)), .init("created_at", 5, .optionalSigned),
      .init("updated_at", 6, .optionalSigned),
    ])

  static let messages = StoreTable(
    .messages, .messages,
    [
      .init("thread", 2, .parent(.threads)), .init("id", 1, .bytes), .init("author_id", 3, .optionalBytes),
      .init("text", 4, .text), .init("citations", 5, .list(.citations)),
      .init("created_at", 6, .optionalSigned),
    ])
}

extension StoreList {
  static let coAuthors = StoreList(table: "thread_co_authors", owner: "thread", element: "user")
  static let citations = StoreList(table: "message_citations", owner: "message", element: "cited")
}
