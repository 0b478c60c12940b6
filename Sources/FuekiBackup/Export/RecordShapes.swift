/// The schema's records, field by field as in `records.proto`.
extension RecordShape {
  static let wallet = RecordShape(
    .always(1, "id", .packed), .always(2, "name", .text), .always(3, "kind", .text),
    .always(4, "chain_family", .text), .always(5, "chain_id", .text), .always(6, "address", .packed),
    .always(7, "derivation_path", .text), .list(8, "descriptors", .text), .optional(9, "balance", .text),
    .optional(10, "birthday", .message(checkpoint)), .optional(11, "last_synced", .message(checkpoint)),
    .list(12, "earlier_checkpoints", .message(checkpoint)), .list(13, "keychains", .message(keychainIndex)),
    .optional(14, "gap_limit", .unsigned32), .list(16, "endpoints", .message(endpoint)),
    .list(17, "accounts", .message(account)), .optional(18, "nonce", .unsigned64),
    .always(19, "network", .text), .always(20, "genesis_hash", .packed), .optional(21, "created_at", .time),
    .optional(22, "updated_at", .time), .always(23, "group_public_key", .bytes), .list(24, "hazards", .text))

  static let asset = RecordShape(
    .always(1, "id", .packed), .always(2, "wallet_id", .packed), .always(3, "kind", .text),
    .always(4, "contract", .packed), .always(5, "symbol", .text), .always(6, "name", .text),
    .optional(7, "decimals", .unsigned32), .optional(8, "balance", .text), .always(9, "token_id", .text),
    .optional(10, "first_seen_block", .unsigned64), .optional(11, "created_at", .time),
    .optional(12, "updated_at", .time))

  static let contact = RecordShape(
    .always(1, "id", .packed), .always(2, "name", .text), .always(3, "address", .packed),
    .always(4, "chain_family", .text), .always(5, "chain_id", .text), .always(6, "notes", .text),
    .optional(7, "created_at", .time), .optional(8, "updated_at", .time))

  static let setting = RecordShape(
    .always(1, "key", .text), .always(2, "value", .text), .optional(3, "updated_at", .time))

  static let keyShareDescriptor = RecordShape(
    .always(1, "id", .bytes), .optional(2, "wallet_id", .packed), .always(3, "protocol", .text),
    .always(4, "curve", .text), .optional(5, "party_index", .unsigned32),
    .optional(6, "threshold", .unsigned32), .optional(7, "total", .unsigned32),
    .optional(8, "epoch", .unsigned64), .always(9, "group_public_key", .bytes),
    .always(10, "own_public_point", .bytes), .always(11, "party_id", .bytes),
    .list(12, "points", .message(partyPoint)), .always(13, "encoding", .text), .always(14, "name", .text),
    .optional(16, "created_at", .time))

  static let credential = RecordShape(
    .always(1, "id", .packed), .always(2, "format", .text), .always(3, "credential", .text),
    .optional(4, "c_nonce", .text), .optional(5, "c_nonce_expires_in", .signed32),
    .optional(6, "iss", .text), .optional(7, "iat", .zigzag), .optional(8, "exp", .zigzag),
    .optional(9, "type", .text), .optional(10, "access_token", .text),
    .optional(11, "credential_issuer_metadata", .text))

  /// The content goes into a file of its own.
  static let filePart = RecordShape(
    .always(1, "id", .bytes), .always(2, "source", .text), .always(3, "path", .fileName),
    .always(4, "offset", .unsigned64), .always(5, "total", .unsigned64), .optional(6, "content", .left),
    .optional(7, "modified_at", .time), .optional(8, "mode", .unsigned32), .always(9, "format", .text),
    .always(10, "address", .packed), .always(11, "kdf", .text))

  static let transaction = RecordShape(
    .always(1, "id", .packed), .always(2, "wallet_id", .packed), .always(3, "hash", .packed),
    .always(4, "from", .packed), .always(5, "to", .packed), .always(6, "amount", .text),
    .optional(7, "fee", .text), .always(8, "status", .text), .optional(9, "timestamp", .time),
    .optional(10, "block_number", .unsigned64), .optional(11, "nonce", .unsigned64),
    .optional(12, "gas_price", .text), .optional(13, "gas_limit", .text), .optional(14, "data", .bytes),
    .optional(16, "metadata", .text))

  static let receipt = RecordShape(
    .always(1, "id", .packed), .always(2, "transaction_id", .packed), .optional(3, "gas_used", .text),
    .list(4, "logs", .message(log)), .optional(5, "success", .boolean), .optional(6, "logs_json", .text))

  static let credentialSharing = RecordShape(
    .always(1, "id", .packed), .always(2, "platform", .text), .always(3, "rp", .text),
    .optional(4, "account_index", .unsigned32), .optional(5, "created_at", .time),
    .always(6, "credential_id", .text), .list(7, "claims", .message(claim)), .optional(8, "rp_name", .text),
    .optional(9, "rp_location", .text), .optional(10, "rp_contact_url", .text),
    .optional(11, "privacy_policy_url", .text), .optional(12, "logo_url", .text))

  static let idTokenSharing = RecordShape(
    .always(1, "id", .packed), .always(2, "platform", .text), .always(3, "rp", .text),
    .optional(4, "account_index", .unsigned32), .optional(5, "created_at", .time))

  static let chatUser = RecordShape(
    .always(1, "id", .packed), .always(2, "name", .text), .optional(3, "email", .text),
    .optional(4, "created_at", .time))

  static let chatThread = RecordShape(
    .always(1, "id", .packed), .always(2, "owner_id", .packed), .always(3, "title", .text),
    .list(4, "co_author_ids", .packed), .optional(5, "created_at", .time), .optional(6, "updated_at", .time))

  static let chatMessage = RecordShape(
    .always(1, "id", .packed), .always(2, "thread_id", .packed), .optional(3, "author_id", .packed),
    .always(4, "text", .text), .list(5, "citation_ids", .packed), .optional(6, "created_at", .time))

  /// Without the padding, which says nothing.
  static let manifest = RecordShape(
    .always(1, "profile_digest", .bytes), .always(2, "history_digest", .bytes),
    .always(3, "secrets_digest", .bytes), .always(4, "program", .text), .always(5, "schema", .unsigned32),
    .always(6, "label", .text), .always(7, "device", .text), .list(8, "sources", .message(sourceReport)),
    .list(9, "share_checks", .text), .list(10, "unknown_columns", .message(unknownColumn)),
    .list(11, "problems", .message(recordProblem)), .always(12, "includes_private_keys", .boolean),
    .optional(14, "padding", .left))
}

/// What stands within records.
extension RecordShape {
  static let extra = RecordShape(
    .always(1, "name", .text), .choice(2, "integer", .zigzag), .choice(3, "real", .real),
    .choice(4, "text", .text), .choice(5, "blob", .bytes), .choice(6, "json", .text))

  private static let checkpoint = RecordShape(
    .always(1, "height", .unsigned64), .always(2, "hash", .packed), .optional(3, "time", .time))

  private static let keychainIndex = RecordShape(
    .always(1, "name", .text), .optional(2, "last_revealed", .unsigned32),
    .optional(3, "last_used", .unsigned32))

  private static let endpoint = RecordShape(
    .always(1, "kind", .text), .always(2, "url", .text), .always(3, "priority", .signed32))

  private static let account = RecordShape(
    .always(1, "index", .unsigned32), .always(2, "path", .text), .always(3, "address", .packed),
    .always(4, "imported", .boolean), .always(5, "name", .text))

  private static let log = RecordShape(
    .always(1, "address", .packed), .list(2, "topics", .packed), .always(3, "data", .packed),
    .optional(4, "index", .unsigned64))

  private static let partyPoint = RecordShape(.always(1, "party_id", .bytes), .always(2, "point", .bytes))

  private static let claim = RecordShape(
    .always(1, "key", .text), .always(2, "value", .text), .optional(3, "purpose", .text))

  private static let sourceReport = RecordShape(
    .always(1, "name", .text), .list(2, "included", .message(sectionCount)),
    .list(3, "excluded", .message(exclusion)), .always(4, "complete", .boolean))

  private static let sectionCount = RecordShape(
    .always(1, "section", .unsigned32), .always(2, "records", .unsigned64))

  private static let exclusion = RecordShape(
    .always(1, "what", .text), .always(2, "reason", .text), .always(3, "by_request", .boolean))

  private static let recordProblem = RecordShape(
    .always(1, "section", .unsigned32), .always(2, "id", .bytes), .always(3, "problem", .text))

  private static let unknownColumn = RecordShape(
    .always(1, "table", .text), .always(2, "column", .text), .always(3, "declared_type", .text))
}
