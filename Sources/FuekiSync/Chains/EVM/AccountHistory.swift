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

/// Converts an account API's rows to records.
///
/// All numbers in them are decimal texts.
extension AccountHistory {
  private static func text(_ row: JSONValue, _ name: String) throws(SyncError) -> String {
    guard let text = row.member(name)?.string else { throw .malformed(what: "a row without \(name)") }
    return text
  }

  private static func number(_ row: JSONValue, _ name: String) throws(SyncError) -> EVMNumber {
    guard let number = EVMNumber(decimal: try text(row, name)) else {
      throw .malformed(what: "\(name) of a row")
    }
    return number
  }

  static func height(_ row: JSONValue) throws(SyncError) -> UInt64 {
    guard let height = try number(row, "blockNumber").uint64, height <= EVMNumber.highestHeight else {
      throw .malformed(what: "a row's block")
    }
    return height
  }

  private static func address(_ row: JSONValue, _ name: String) throws(SyncError) -> Data {
    let text = try text(row, name)
    guard !text.isEmpty else { return Data() }
    guard let address = EVMAddress(row.member(name)) else { throw .malformed(what: "\(name) of a row") }
    return address.packed
  }

  /// Returns a row's transaction hash, which has one of two names.
  static func hash(_ row: JSONValue) throws(SyncError) -> String {
    let hash = try text(row, row.member("hash") == nil ? "transactionHash" : "hash")
    guard EVMBytes.decode(hash)?.count == 32 else {
      throw .malformed(what: "a row's hash")
    }
    return hash.lowercased()
  }

  /// Returns the fields that all lists have.
  private static func record(_ row: JSONValue, amount: String) throws(SyncError) -> Transaction {
    var record = Transaction()
    record.hash = PackedText.pack(try hash(row))
    record.from = try address(row, "from")
    record.to = try address(row, "to")
    record.amount = amount
    record.blockNumber = try height(row)
    record.status = TransactionStatus.confirmed.rawValue
    guard let seconds = try number(row, "timeStamp").uint64, seconds <= EVMNumber.highestHeight else {
      throw .malformed(what: "a row's time")
    }
    record.timestamp = Int64(seconds) * 1_000_000
    return record
  }

  static func transaction(_ row: JSONValue) throws(SyncError) -> FoundTransaction {
    var record = try record(row, amount: try number(row, "value").text)
    let isFailed =
      row.member("isError")?.string == "1" || row.member("txreceipt_status")?.string == "0"
    if isFailed { record.status = TransactionStatus.failed.rawValue }
    if let nonce = try? number(row, "nonce").uint64 { record.nonce = nonce }
    if let gas = try? number(row, "gas") { record.gasLimit = gas.text }
    var receipt: Receipt?
    if let used = try? number(row, "gasUsed"), let price = try? number(row, "gasPrice") {
      record.gasPrice = price.text
      record.fee = (used * price).text
      var made = Receipt()
      made.gasUsed = used.text
      made.success = !isFailed
      receipt = made
    }
    if let input = row.member("input")?.string, input != "0x", let data = EVMBytes.decode(input) {
      record.data = Data(data)
    }
    return FoundTransaction(record, receipt: receipt)
  }

  /// Returns the token described by a transfer's row.
  static func token(_ row: JSONValue) throws(SyncError) -> Asset {
    var asset = Asset()
    asset.kind = AssetKind.erc20.rawValue
    asset.contract = try address(row, "contractAddress")
    asset.firstSeenBlock = try height(row)
    asset.symbol = TokenReader.printable(row.member("tokenSymbol")?.string ?? "", limit: 32)
    asset.name = TokenReader.printable(row.member("tokenName")?.string ?? "", limit: 64)
    if let decimals = try? number(row, "tokenDecimal").uint64, decimals <= 255 {
      asset.decimals = UInt32(decimals)
    }
    return asset
  }

  /// Returns a token transfer; nil for a bundle of several collectibles.
  static func transfer(_ row: JSONValue) throws(SyncError) -> FoundTransaction? {
    let id = row.member("tokenID").flatMap { $0.string ?? $0.number }.flatMap(EVMNumber.init(decimal:))
    var amount = row.member("value")?.string
    if amount == nil, row.member("tokenIDs") != nil { return nil }
    // A collectible's amount is 1, stated or not.
    if id != nil { amount = amount ?? row.member("tokenValue")?.string ?? "1" }
    guard let amount = amount.flatMap(EVMNumber.init(decimal:)) else {
      throw .malformed(what: "value of a row")
    }
    var found = FoundTransaction(try record(row, amount: amount.text))
    found.contract = try address(row, "contractAddress")
    found.logIndex = try? number(row, "logIndex").uint64
    found.tokenID = id?.text
    return found
  }

  /// Returns a transfer of coins by a contract, or at a contract's creation.
  static func inner(_ row: JSONValue) throws(SyncError) -> FoundTransaction {
    var record = try record(row, amount: try number(row, "value").text)
    if record.to.isEmpty { record.to = try address(row, "contractAddress") }
    if row.member("isError")?.string == "1" { record.status = TransactionStatus.failed.rawValue }
    var found = FoundTransaction(record)
    found.trace = place(row)
    return found
  }

  /// Returns the position of a row's call in its transaction; empty if it is unusable in a record.
  private static func place(_ row: JSONValue) -> String {
    if let path = row.member("traceId")?.string, 1...128 ~= path.utf8.count,
      path.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") })
    {
      return path
    }
    guard let index = try? number(row, "index").uint64 else { return "" }
    return "#\(index)"
  }
}
