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

/// Reads the members of a JSON object into a record's fields.
///
/// A member represented exactly by its field is consumed. The rest goes to the record's `extra`: members
/// without a field, and those that their field represents only partly or not at all.
struct MemberReader {
  private var members: [(name: String, value: JSONValue)]

  init(_ object: JSONValue) { members = object.children.map { ($0.name, $0) } }

  /// Reads a text; empty for any other value, which remains.
  mutating func text(_ name: String) -> String {
    use(name, leavingNull: true) { value in value.string.map { ($0, true) } } ?? ""
  }

  /// Reads a text, or a number's digits.
  mutating func label(_ name: String) -> String {
    use(name, leavingNull: true) { value in (value.string ?? value.number).map { ($0, true) } } ?? ""
  }

  /// Reads a number's digits, or a text; nil for any other value, which remains unless it is null.
  mutating func digits(_ name: String) -> String? {
    use(name) { value in (value.number ?? value.string).map { ($0, true) } }
  }

  /// Reads an optional text.
  mutating func optionalText(_ name: String) -> String? {
    use(name) { value in value.string.map { ($0, true) } }
  }

  mutating func boolean(_ name: String) -> Bool? { use(name) { value in value.boolean.map { ($0, true) } } }

  /// Reads a whole number below 2^64 in any notation.
  mutating func count(_ name: String) -> UInt64? {
    use(name) { value in
      guard let digits = value.number ?? value.string, let number = UInt64(digits) else { return nil }
      return (number, String(number) == digits)
    }
  }

  /// Reads an instant: seconds since 2001, or an ISO 8601 text.
  ///
  /// If it is finer than a microsecond, or not in UTC, the member also remains.
  mutating func time(_ name: String) -> Int64? {
    use(name) { value in
      if let seconds = value.number, let time = Timestamp(seconds: seconds, since: .reference) {
        return (time.microseconds, Amount(seconds)?.multiplied(byPowerOfTen: 6).isWhole ?? false)
      }
      guard let text = value.string, let time = Timestamp(text) else { return nil }
      let finer = text.dropFirst(20).dropFirst(6)
      return (time.microseconds, text.hasSuffix("Z") && finer.allSatisfy { $0 == "0" || $0 == "Z" })
    }
  }

  /// Reads bytes in base64.
  ///
  /// If the text is `0x` and hexadecimal digits, it is read as these, and the member also remains.
  mutating func base64(_ name: String) -> Data? {
    use(name) { value in
      guard let text = value.string else { return nil }
      if text.hasPrefix("0x"), let bytes = Hex.decode(text.dropFirst(2)) { return (Data(bytes), false) }
      guard let data = Data(base64Encoded: text) else { return nil }
      return (data, data.base64EncodedString() == text)
    }
  }

  /// Reads a text, or any other value's source.
  mutating func anyText(_ name: String) -> String? {
    use(name) { value in
      guard let text = value.string else { return value.kind == .null ? nil : (value.source, true) }
      // A text that is valid JSON itself would be mistaken for another value's source.
      let isAmbiguous = (try? JSONDocument(Array(text.utf8), limit: text.utf8.count)) != nil
      return (text, !isAmbiguous)
    }
  }

  /// Reads an object or array for a record of its own.
  mutating func value(_ name: String, _ kind: JSONOutline.Kind) -> JSONValue? {
    use(name) { value in value.kind == kind ? (value, true) : nil }
  }

  /// Removes a member that another record has, so that it is not in `extra`.
  mutating func drop(_ name: String) { members.removeAll { $0.name == name } }

  /// The remaining members, with their exact sources.
  var extra: [Extra] {
    members.map { name, value in
      var extra = Extra()
      extra.name = name
      extra.json = value.source
      return extra
    }
  }

  /// Reads a member and consumes it if the field represents it exactly.
  ///
  /// Null means unknown, like an absent field. A field of implicit presence cannot express it.
  private mutating func use<Field>(
    _ name: String, leavingNull: Bool = false, _ read: (JSONValue) -> (field: Field, isExact: Bool)?
  ) -> Field? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    let value = members[index].value
    if value.kind == .null, !leavingNull {
      members.remove(at: index)
      return nil
    }
    guard let (field, isExact) = read(value) else { return nil }
    if isExact { members.remove(at: index) }
    return field
  }
}
