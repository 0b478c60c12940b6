internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// Converts the objects of a Fueki app's bundle to records.
enum FuekiAppRecords {
  static func wallet(_ object: JSONValue) -> Wallet {
    var members = MemberReader(object)
    var wallet = Wallet()
    wallet.id = id(&members, of: object)
    wallet.name = members.text("name")
    wallet.kind = members.text("type")
    wallet.chainID = members.label("chainId")
    let address = members.text("address")
    wallet.address = PackedText.pack(address)
    wallet.chainFamily = family(of: address)
    if let balance = members.digits("balance") { wallet.balance = balance }
    if let time = members.time("createdAt") { wallet.createdAt = time }
    if let time = members.time("updatedAt") { wallet.updatedAt = time }
    wallet.extra = members.extra
    return wallet
  }

  static func contact(_ object: JSONValue) -> Contact {
    var members = MemberReader(object)
    var contact = Contact()
    contact.id = id(&members, of: object)
    contact.name = members.text("name")
    let address = members.text("address")
    contact.address = PackedText.pack(address)
    contact.chainFamily = family(of: address)
    contact.chainID = members.label("chainId")
    contact.notes = members.text("notes")
    if let time = members.time("createdAt") { contact.createdAt = time }
    if let time = members.time("updatedAt") { contact.updatedAt = time }
    contact.extra = members.extra
    return contact
  }

  static func transaction(_ object: JSONValue) -> (Transaction, Receipt?) {
    var members = MemberReader(object)
    var transaction = Transaction()
    transaction.id = id(&members, of: object)
    transaction.walletID = PackedText.pack(members.label("walletId"))
    transaction.hash = PackedText.pack(members.text("hash"))
    transaction.from = PackedText.pack(members.text("fromAddress"))
    transaction.to = PackedText.pack(members.text("toAddress"))
    transaction.amount = members.digits("amount") ?? ""
    if let fee = members.digits("fee") { transaction.fee = fee }
    transaction.status = members.text("status")
    if let time = members.time("timestamp") { transaction.timestamp = time }
    if let number = members.count("blockNumber") { transaction.blockNumber = number }
    if let nonce = members.count("nonce") { transaction.nonce = nonce }
    if let price = members.digits("gasPrice") { transaction.gasPrice = price }
    if let limit = members.digits("gasLimit") { transaction.gasLimit = limit }
    if let data = members.base64("data") { transaction.data = data }
    if let metadata = members.anyText("metadata") { transaction.metadata = metadata }
    let receipt = members.value("receipt", .object).map { self.receipt($0, of: transaction.id) }
    transaction.extra = members.extra
    return (transaction, receipt)
  }

  private static func receipt(_ object: JSONValue, of transactionID: Data) -> Receipt {
    var members = MemberReader(object)
    var receipt = Receipt()
    receipt.id = id(&members, of: object)
    receipt.transactionID = transactionID
    // A receipt is nested in its transaction. If it states another transaction, that id is kept as well.
    if object.member("txId")?.string.map(PackedText.pack) == transactionID { members.drop("txId") }
    if let gas = members.digits("gasUsed") { receipt.gasUsed = gas }
    if let success = members.boolean("success") { receipt.success = success }
    if let logs = members.value("logs", .array) {
      let entries = logs.children.map(log)
      receipt.logs = entries.compactMap { $0 }
      if receipt.logs.count < entries.count {
        receipt.logs = []
        receipt.logsJson = logs.source
      }
    }
    receipt.extra = members.extra
    return receipt
  }

  /// Returns a log with exactly an address, topics and data, and optionally an index; nil for other forms.
  private static func log(_ value: JSONValue) -> Log? {
    var members = MemberReader(value)
    var log = Log()
    guard let address = members.optionalText("address"), let data = members.optionalText("data"),
      let topics = members.value("topics", .array)
    else { return nil }
    log.address = PackedText.pack(address)
    log.data = PackedText.pack(data)
    for topic in topics.children {
      guard let text = topic.string else { return nil }
      log.topics.append(PackedText.pack(text))
    }
    if let index = members.count("index") { log.index = index }
    return members.extra.isEmpty ? log : nil
  }

  /// Returns the object's id, or an id derived from its contents.
  private static func id(_ members: inout MemberReader, of object: JSONValue) -> Data {
    let text = members.label("id")
    guard text.isEmpty else { return PackedText.pack(text) }
    let digest = SHA256.hash(Array("fueki/1 unnamed\0".utf8), Array(object.sourceBytes))
    return PackedText.pack("unnamed-" + Hex.encode(Array(digest.bytes.prefix(16))))
  }

  /// Infers the family, which the app omits.
  ///
  /// No other family's addresses have this form.
  private static func family(of address: String) -> String {
    address.hasPrefix("0x") && address.utf8.count == 42 ? ChainFamily.evm.name : ""
  }
}
