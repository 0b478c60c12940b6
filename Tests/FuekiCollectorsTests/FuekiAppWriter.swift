import FoundationEssentials
import FuekiCollectors
import FuekiWallet

/// Writes records back to their original bundle, to prove that nothing was lost.
enum FuekiAppWriter {
  private static let bundlePrefix = "fueki-app.bundle."

  static func text(_ records: ImportedRecords) -> String {
    let receipts = Dictionary(records.receipts.map { ($0.transactionID, $0) }) { $1 }
    var members = [
      ("wallets", list(records.wallets.map(wallet))),
      ("transactionHistory", list(records.transactions.map { transaction($0, receipts[$0.id]) })),
      ("addressBook", list(records.contacts.map(contact))),
      (
        "encryptedKeyShares",
        list(
          records.files.filter { $0.format == "fueki-app-key-share" }.map {
            String(decoding: $0.content, as: UTF8.self)
          })
      ),
    ]
    let (own, app) = records.settings.reduce(into: ([Setting](), [Setting]())) { lists, setting in
      if setting.key.hasPrefix(bundlePrefix) { lists.0.append(setting) } else { lists.1.append(setting) }
    }
    members.append(("settings", object(app.map { ($0.key, $0.value) }, [])))
    members += own.map { (String($0.key.dropFirst(bundlePrefix.count)), $0.value) }
    return object(members, [])
  }

  /// Returns a document in canonical form with sorted members, for comparison.
  static func canonical(_ value: JSONValue) -> String {
    switch value.kind {
    case .object:
      object(
        value.children.map { ($0.name, canonical($0)) }.sorted {
          $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
        }, [])
    case .array: list(value.children.map(canonical))
    case .string: string(value.string ?? "")
    case .number, .boolean, .null: value.source
    }
  }

  private static func wallet(_ wallet: Wallet) -> String {
    var members = [
      ("id", packed(wallet.id)), ("name", string(wallet.name)), ("type", string(wallet.kind)),
      ("chainId", wallet.chainID), ("address", packed(wallet.address)),
    ]
    if wallet.hasBalance { members.append(("balance", wallet.balance)) }
    if wallet.hasCreatedAt { members.append(("createdAt", seconds(wallet.createdAt))) }
    if wallet.hasUpdatedAt { members.append(("updatedAt", seconds(wallet.updatedAt))) }
    return object(members, wallet.extra)
  }

  private static func contact(_ contact: Contact) -> String {
    object(
      [
        ("id", packed(contact.id)), ("name", string(contact.name)), ("address", packed(contact.address)),
        ("chainId", string(contact.chainID)), ("notes", string(contact.notes)),
      ], contact.extra)
  }

  private static func transaction(_ transaction: Transaction, _ receipt: Receipt?) -> String {
    var members = [
      ("id", packed(transaction.id)), ("walletId", packed(transaction.walletID)),
      ("hash", packed(transaction.hash)),
      ("fromAddress", packed(transaction.from)), ("toAddress", packed(transaction.to)),
      ("amount", transaction.amount),
      ("status", string(transaction.status)),
    ]
    if transaction.hasFee { members.append(("fee", transaction.fee)) }
    if transaction.hasTimestamp { members.append(("timestamp", seconds(transaction.timestamp))) }
    if transaction.hasBlockNumber { members.append(("blockNumber", "\(transaction.blockNumber)")) }
    if transaction.hasNonce { members.append(("nonce", "\(transaction.nonce)")) }
    if transaction.hasGasPrice { members.append(("gasPrice", transaction.gasPrice)) }
    if transaction.hasGasLimit { members.append(("gasLimit", transaction.gasLimit)) }
    if transaction.hasData { members.append(("data", string(transaction.data.base64EncodedString()))) }
    if transaction.hasMetadata { members.append(("metadata", string(transaction.metadata))) }
    if let receipt { members.append(("receipt", self.receipt(receipt))) }
    return object(members, transaction.extra)
  }

  private static func receipt(_ receipt: Receipt) -> String {
    var members = [("id", packed(receipt.id)), ("txId", packed(receipt.transactionID))]
    if receipt.hasGasUsed { members.append(("gasUsed", receipt.gasUsed)) }
    if receipt.hasSuccess { members.append(("success", "\(receipt.success)")) }
    members.append(("logs", receipt.hasLogsJson ? receipt.logsJson : list(receipt.logs.map(log))))
    return object(members, receipt.extra)
  }

  private static func log(_ log: Log) -> String {
    object(
      [
        ("address", packed(log.address)), ("topics", list(log.topics.map(packed))),
        ("data", packed(log.data)),
        ("index", "\(log.index)"),
      ], [])
  }

  /// Returns seconds since 2001, with the original fraction.
  private static func seconds(_ microseconds: Int64) -> String {
    let count = microseconds - 978_307_200_000_000
    let (whole, part) = count.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    var fraction = String(String(1_000_000 + part).dropFirst())
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return (count < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  private static func packed(_ packed: Data) -> String { string(PackedText.text(packed) ?? "?") }

  private static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

  /// Returns an object in which members kept in `extra` replace those from fields.
  private static func object(_ members: [(String, String)], _ extra: [Extra]) -> String {
    let kept = members.filter { member in !extra.contains { $0.name == member.0 } }
    let all = kept + extra.map { ($0.name, $0.json) }
    return "{\(all.map { "\(string($0.0)):\($0.1)" }.joined(separator: ","))}"
  }

  private static func string(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\u{0}"..<"\u{20}": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
