public import FoundationEssentials
public import FuekiWallet

extension Query where Record == Wallet {
  /// The wallets of a chain, by its family and id.
  public static func chain(_ family: String, _ id: String) -> Self {
    by("chain_family", .text(family)).and(by("chain_id", .text(id)))
  }
  /// The wallets with an address, as packed text.
  public static func address(_ address: Data) -> Self { by("address", .bytes(address)) }
}

extension Query where Record == Contact {
  /// The contacts on a chain, by its family and id.
  public static func chain(_ family: String, _ id: String) -> Self {
    by("chain_family", .text(family)).and(by("chain_id", .text(id)))
  }
  /// The contacts with an address, as packed text.
  public static func address(_ address: Data) -> Self { by("address", .bytes(address)) }
}

extension Query where Record == Asset {
  /// The assets of a wallet in the store.
  public static func of(wallet: RecordID) -> Self { by("wallet_id", wallet) }
}

extension Query where Record == Transaction {
  /// The transactions of a wallet in the store.
  public static func of(wallet: RecordID) -> Self { by("wallet_id", wallet) }
  /// The transactions with a hash, as packed text: one for each wallet involved.
  public static func hash(_ hash: Data) -> Self { by("hash", .bytes(hash)) }
  /// The transactions not yet in a block.
  public static var pending: Self { by("status", .word) }
}

extension Query where Record == Receipt {
  /// The receipts of a transaction: one, unless a source had several.
  public static func of(transaction: RecordID) -> Self { by("transaction_id", transaction) }
}

extension Query where Record == Credential {
  /// The credentials of an issuer.
  public static func issuer(_ issuer: String) -> Self { by("iss", .text(issuer)) }
  /// The credentials of a type.
  public static func type(_ type: String) -> Self { by("type", .text(type)) }
  /// The credentials that expire before a time, or have expired, the first to expire first.
  public static func expiring(before time: Timestamp) -> Self {
    // A second that has begun before the time is before it.
    let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return by("exp", .below(rest > 0 ? seconds + 1 : seconds))
  }
}

extension Query where Record == CredentialSharing {
  /// The presentations of a credential, by its id.
  public static func of(credential: RecordID) -> Self { by("credential_id", .text(of: credential)) }
  /// The presentations to a relying party.
  public static func with(_ party: String) -> Self { by("rp", .text(party)) }
}

extension Query where Record == IdTokenSharing {
  /// The presentations to a relying party.
  public static func with(_ party: String) -> Self { by("rp", .text(party)) }
}

extension Query where Record == ChatThread {
  /// The threads of an owner in the store.
  public static func owned(by user: RecordID) -> Self { by("owner_id", user) }
  /// The threads that a user owns or co-authors.
  public static func with(_ user: RecordID) -> Self {
    Self([
      QueryCondition(
        .init(field: "owner_id", value: .bytes(user.packed)),
        .init(field: "co_author_ids", value: .bytes(user.packed)))
    ])
  }
}

extension Query where Record == ChatMessage {
  /// The messages of a thread in the store.
  public static func `in`(_ thread: RecordID) -> Self { by("thread_id", thread) }
  /// The messages that cite a message.
  public static func citing(_ message: RecordID) -> Self { by("citation_ids", message) }
}

extension Query where Record == KeyShareDescriptor {
  /// The public parts of the shares of one key.
  public static func ofKey(_ groupPublicKey: Data) -> Self { by("group_public_key", .bytes(groupPublicKey)) }
}

extension Query where Record == FilePart {
  /// The parts of a file.
  public static func file(_ id: RecordID) -> Self { one(id) }
}
