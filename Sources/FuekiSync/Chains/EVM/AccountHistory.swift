internal import FoundationEssentials
internal import FuekiWallet

/// Merges the lists of a wallet's accounts.
///
/// A transaction between two of them is in both lists but is counted once.
struct AccountHistory {
  /// Whether bundled transfers were found, which cannot be separate records.
  private(set) var hasBundles = false
  private var places: [String: Int] = [:]
  private var transactions: [FoundTransaction] = []

  /// The findings in the order of the lists.
  var found: [FoundTransaction] { transactions }

  /// Adds a page of `txlist`.
  mutating func take(transactions rows: [JSONValue], of account: EVMAddress) throws(SyncError) {
    // Genesis balances are listed as transactions without a hash. The balance already includes them.
    for row in rows where row.member("hash")?.string?.hasPrefix("GENESIS") != true {
      let transaction = try Self.transaction(row)
      // An account that is a contract is listed as the created contract of its creation.
      if EVMAddress(row.member("contractAddress")) != account { try Self.check(transaction, of: account) }
      keep(transaction, as: try Self.hash(row))
    }
  }

  /// Adds a list of `tokentx`, and records new tokens.
  mutating func take(
    transfers rows: [JSONValue], of account: EVMAddress, _ tokens: inout [Asset]
  ) throws(SyncError) {
    var ordinals: [String: Int] = [:]
    for row in rows {
      guard let transfer = try Self.transfer(row) else {
        hasBundles = true
        continue
      }
      try Self.check(transfer, of: account)
      if transfer.tokenID == nil, !tokens.contains(where: { $0.contract == transfer.contract }) {
        tokens.append(try Self.token(row))
      }
      // Two transfers in one transaction can differ only by their position.
      let content = "\(try Self.hash(row))/\(Self.content(of: transfer))"
      ordinals[content, default: 0] += 1
      keep(transfer, as: "\(content)/\(ordinals[content, default: 0])")
    }
  }

  /// Adds a list of `txlistinternal`: coins sent by contracts, or received at their creation.
  mutating func take(inner rows: [JSONValue], of account: EVMAddress) throws(SyncError) {
    var ordinals: [String: Int] = [:]
    for row in rows where Self.movesCoins(row) {
      let transfer = try Self.inner(row)
      try Self.check(transfer, of: account)
      let hash = try Self.hash(row)
      guard Amount(transfer.transaction.amount)?.isZero == false, !isOuter(row, transfer, hash) else {
        continue
      }
      guard transfer.trace == "" else {
        keep(transfer, as: "\(hash)/inner/\(transfer.trace ?? "")")
        continue
      }
      let content = "\(hash)/\(Self.content(of: transfer))"
      ordinals[content, default: 0] += 1
      keep(transfer, as: "\(content)/\(ordinals[content, default: 0])")
    }
  }

  /// Refuses a row that does not involve the queried account.
  private static func check(_ found: FoundTransaction, of account: EVMAddress) throws(SyncError) {
    guard [found.transaction.from, found.transaction.to].contains(account.packed) else {
      throw .malformed(what: "a row of another account")
    }
  }

  /// Returns a transfer's key for both accounts' lists.
  ///
  /// The rows themselves differ, because they count confirmations.
  private static func content(of found: FoundTransaction) -> String {
    let addresses = [found.transaction.from, found.transaction.to, found.contract ?? Data()]
    return addresses.map { $0.base64EncodedString() }.joined(separator: "/")
      + "/\(found.transaction.amount)/\(found.tokenID ?? "")/\(found.logIndex.map { "\($0)" } ?? "")"
  }

  private mutating func keep(_ transaction: FoundTransaction, as key: String) {
    if let place = places[key] {
      transactions[place] = transaction
    } else {
      places[key] = transactions.count
      transactions.append(transaction)
    }
  }

  /// Delegated and static calls state a value but move nothing.
  private static func movesCoins(_ row: JSONValue) -> Bool {
    let kinds = [row.member("type")?.string, row.member("callType")?.string].compactMap { $0?.lowercased() }
    return !kinds.contains { ["delegatecall", "staticcall", "callcode"].contains($0) }
  }

  /// Whether a row is the transaction itself, which some servers list as its first call.
  private func isOuter(_ row: JSONValue, _ transfer: FoundTransaction, _ hash: String) -> Bool {
    guard transfer.trace == "#0", let outer = places[hash].map({ transactions[$0].transaction }) else {
      return false
    }
    return outer.from == transfer.transaction.from && outer.amount == transfer.transaction.amount
  }
}
