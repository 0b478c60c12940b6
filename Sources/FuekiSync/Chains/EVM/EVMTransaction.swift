internal import FoundationEssentials
internal import FuekiWallet

/// A node's transaction, with its receipt if it is in a block.
struct EVMTransaction: Sendable {
  let hash: String
  let from: EVMAddress
  /// Nil for a contract creation.
  let to: EVMAddress?
  let height: UInt64?
  private let transaction: JSONValue
  private let receipt: JSONValue?

  init(_ transaction: JSONValue, receipt: JSONValue?) throws(SyncError) {
    self.transaction = transaction
    self.receipt = receipt.flatMap { $0.kind == .object ? $0 : nil }
    guard let from = EVMAddress(transaction.member("from")) else {
      throw .malformed(what: "a transaction without a sender")
    }
    hash = try transaction.required("hash").hash("a transaction's hash")
    self.from = from
    to = EVMAddress(transaction.member("to"))
    height = try transaction.present("blockNumber")?.height("a transaction's block")
    if let own = self.receipt?.present("transactionHash"), try own.hash("a receipt's hash") != hash {
      throw .malformed(what: "another transaction's receipt")
    }
  }

  /// Whether it is in a block with a known outcome.
  var isSettled: Bool { height != nil && receipt != nil }

  /// Returns the record for the chain's own coin, with the receipt.
  func found(at time: Int64?) throws(SyncError) -> FoundTransaction {
    var record = Transaction()
    record.hash = PackedText.pack(hash)
    record.from = from.packed
    record.to = to?.packed ?? Data()
    record.amount = try transaction.required("value").quantity("a transaction's value").text
    record.nonce = try transaction.required("nonce").count("a transaction's nonce")
    record.gasLimit = try transaction.present("gas")?.quantity("a transaction's gas").text ?? ""
    if record.gasLimit.isEmpty { record.clearGasLimit() }
    let data = try transaction.present("input")?.hexBytes("a transaction's input") ?? []
    if !data.isEmpty { record.data = Data(data) }
    record.status = try status.rawValue
    if let price = try price { record.gasPrice = price.text }
    if isSettled {
      if let height { record.blockNumber = height }
      if let time { record.timestamp = time }
      if let fee = try fee { record.fee = fee }
    }
    return FoundTransaction(record, receipt: isSettled ? try receiptRecord() : nil)
  }

  var status: TransactionStatus {
    get throws(SyncError) {
      guard isSettled, let receipt else { return .pending }
      // Before 2017, receipts had a state root in place of the status, and failures were not visible.
      guard let status = receipt.present("status") else { return .confirmed }
      return try status.count("a receipt's status") == 1 ? .confirmed : .failed
    }
  }

  private var price: EVMNumber? {
    get throws(SyncError) {
      if let price = receipt?.present("effectiveGasPrice") { return try price.quantity("a gas price") }
      return try transaction.present("gasPrice")?.quantity("a gas price")
    }
  }

  private var fee: String? {
    get throws(SyncError) {
      guard let used = try receipt?.present("gasUsed")?.quantity("gas used"), let price = try price else {
        return nil
      }
      return (used * price).text
    }
  }

  func receiptRecord() throws(SyncError) -> Receipt? {
    guard let receipt else { return nil }
    var record = Receipt()
    record.gasUsed = try receipt.required("gasUsed").quantity("gas used").text
    let status = try self.status
    record.success = status == .confirmed
    for log in (receipt.member("logs")?.children).map(Array.init) ?? [] {
      var entry = Log()
      entry.address = EVMAddress(log.member("address"))?.packed ?? Data()
      for topic in (log.member("topics")?.children).map(Array.init) ?? [] {
        entry.topics.append(PackedText.pack(topic.string ?? ""))
      }
      entry.data = PackedText.pack(log.member("data")?.string ?? "")
      if let index = log.present("logIndex") { entry.index = try index.count("a log's index") }
      record.logs.append(entry)
    }
    return record
  }
}

extension TokenTransfer {
  /// Returns the transfer's record.
  func found(at time: Int64?, receipt: Receipt?) -> FoundTransaction {
    var record = Transaction()
    record.hash = PackedText.pack(hash)
    record.from = from.packed
    record.to = to.packed
    record.amount = amount.text
    record.status = TransactionStatus.confirmed.rawValue
    record.blockNumber = height
    if let time { record.timestamp = time }
    var found = FoundTransaction(record, receipt: receipt, logIndex: logIndex)
    found.contract = contract.packed
    found.tokenID = tokenID?.text
    return found
  }
}
