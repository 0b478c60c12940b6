internal import FoundationEssentials
internal import FuekiWallet

/// A server that keeps every account's history: Etherscan, Blockscout, and those that speak as they do.
///
/// It has no method that tells its chain's id; Etherscan's second version is told which one is meant.
public struct AccountAPI: ChainSource {
  private let connection: Connection
  private let pageLength: Int
  /// The most pages of one list, so that no server can keep a resync busy for ever, or fill the memory.
  private static let requestLimit = 1000

  /// The server whose API is at a URL, such as `https://eth.blockscout.com/api`.
  public init(_ connection: Connection, pageLength: Int = 1000) {
    self.connection = connection
    self.pageLength = pageLength
  }

  /// Everything that the server has of the wallet's accounts.
  public func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    let accounts = try EVMAccounts(query.wallet)
    let chain = query.wallet.chainID
    let tip = try await tip(chain)
    var findings = WalletFindings(tip: tip)
    var balances: [Amount] = []
    var tokens = query.assets.filter { $0.assetKind == .erc20 }
    var found: [String: FoundTransaction] = [:]
    var order: [String] = []
    for account in accounts.addresses {
      balances.append(try await balance("action=balance", of: account, chain))
      for row in try await rows("txlist", account, query.startHeight, chain) {
        let transaction = try Self.transaction(row)
        try Self.check(transaction, row, of: account)
        let key = row.member("hash")?.string ?? ""
        if found.updateValue(transaction, forKey: key) == nil { order.append(key) }
      }
      var ordinals: [String: Int] = [:]
      for row in try await rows("tokentx", account, query.startHeight, chain) {
        let transfer = try Self.transfer(row)
        try Self.check(transfer, row, of: account)
        if !tokens.contains(where: { $0.contract == transfer.contract }) {
          tokens.append(try Self.token(row))
        }
        // Two transfers of one transaction can be alike but for their place.
        let content = "\(row.member("hash")?.string ?? "")/\(row.source)"
        ordinals[content, default: 0] += 1
        let key = "\(content)/\(ordinals[content, default: 0])"
        if found.updateValue(transfer, forKey: key) == nil { order.append(key) }
      }
    }
    findings.balance = Amount.sum(balances).canonicalText
    findings.transactions = order.compactMap { found[$0] }
    for var token in tokens {
      guard let contract = PackedText.text(token.contract) else { continue }
      var sum: [Amount] = []
      for account in accounts.addresses {
        sum.append(
          try await balance("action=tokenbalance&contractaddress=\(contract)", of: account, chain))
      }
      token.balance = Amount.sum(sum).canonicalText
      findings.assets.append(token)
    }
    return findings
  }

  /// All rows of a list, page by page.
  ///
  /// Servers give no more than some thousand rows of one question, so each page asks from the block on that the one
  /// before ended in; only a block that fills a page by itself is paged through.
  private func rows(
    _ action: String, _ account: EVMAddress, _ start: UInt64, _ chain: String
  ) async throws(SyncError) -> [JSONValue] {
    var rows: [JSONValue] = []
    var (from, page) = (start, 1)
    for _ in 0..<Self.requestLimit {
      let answer = try await ask(
        "module=account&action=\(action)&address=\(account)&startblock=\(from)&endblock=999999999"
          + "&page=\(page)&offset=\(pageLength)&sort=asc", chain)
      guard answer.kind == .array else { throw .malformed(what: "no list of rows") }
      let found = Array(answer.children)
      rows += found
      guard found.count >= pageLength, let row = found.last else { return rows }
      let last = try Self.height(row)
      if last > from {
        // Its rows come again, all of them.
        while let row = rows.last, try Self.height(row) == last { rows.removeLast() }
        (from, page) = (last, 1)
      } else {
        page += 1
      }
    }
    throw .malformed(what: "more than \(Self.requestLimit) pages")
  }

  private func balance(
    _ action: String, of account: EVMAddress, _ chain: String
  ) async throws(SyncError) -> Amount {
    let answer = try await ask("module=account&\(action)&address=\(account)&tag=latest", chain)
    guard let text = answer.string, let amount = EVMNumber(decimal: text).flatMap({ Amount($0.text) }) else {
      throw .malformed(what: "a balance")
    }
    return amount
  }

  /// The chain's height: the two kinds of servers have different methods for it.
  private func tip(_ chain: String) async throws(SyncError) -> Checkpoint {
    var tip = Checkpoint()
    do throws(SyncError) {
      tip.height = try await ask("module=proxy&action=eth_blockNumber", chain).height("a height")
    } catch {
      guard RetryRule(error) != .again else { throw error }
      tip.height = try await ask("module=block&action=eth_block_number", chain).height("a height")
    }
    return tip
  }

  private func ask(_ query: String, _ chain: String) async throws(SyncError) -> JSONValue {
    let joint = connection.url.contains("?") ? "&" : "?"
    var request = HTTPRequest(.get, "\(connection.url)\(joint)chainid=\(chain)&\(query)")
    request.credential = connection.credential
    return try await connection.client.ask(request) { response throws(SyncError) in
      try Self.result(try response.successful())
    }
  }

  /// The result of an answer; errors come with HTTP 200, and are told by their words.
  private static func result(_ body: [UInt8]) throws(SyncError) -> JSONValue {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(body, limit: body.count)
    } catch {
      throw .malformed(what: error.sentence)
    }
    guard let result = document.root.member("result") else { throw .malformed(what: "no result") }
    guard document.root.member("status")?.string == "0" else { return result }
    let words = [document.root.member("message")?.string, result.string].compactMap { $0 }
      .joined(separator: " ").lowercased()
    if words.contains("no transactions found") || words.contains("no token transfers found") { return result }
    if words.contains("rate limit") { throw .rateLimited }
    if words.contains("api key") { throw .refused(status: 403) }
    throw .server(code: 0, message: TokenReader.printable(words, limit: 200))
  }
}

extension AccountAPI {
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

  private static func height(_ row: JSONValue) throws(SyncError) -> UInt64 {
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

  /// Refuses what has nothing to do with the account that was asked about.
  private static func check(
    _ found: FoundTransaction, _ row: JSONValue, of account: EVMAddress
  ) throws(SyncError) {
    // An account that is a contract was made by one, which names it in this place.
    let isMaking = found.contract == nil && EVMAddress(row.member("contractAddress")) == account
    guard isMaking || [found.transaction.from, found.transaction.to].contains(account.packed) else {
      throw .malformed(what: "a row of another account")
    }
  }

  /// What both lists have.
  private static func record(_ row: JSONValue) throws(SyncError) -> Transaction {
    var record = Transaction()
    let hash = try text(row, "hash")
    guard hash.hasPrefix("0x"), EVMBytes.decode(hash.dropFirst(2))?.count == 32 else {
      throw .malformed(what: "a row's hash")
    }
    record.hash = PackedText.pack(hash.lowercased())
    record.from = try address(row, "from")
    record.to = try address(row, "to")
    record.amount = try number(row, "value").text
    record.blockNumber = try height(row)
    record.status = TransactionStatus.confirmed.rawValue
    guard let seconds = try number(row, "timeStamp").uint64, seconds <= EVMNumber.highestHeight else {
      throw .malformed(what: "a row's time")
    }
    record.timestamp = Int64(seconds) * 1_000_000
    return record
  }

  private static func transaction(_ row: JSONValue) throws(SyncError) -> FoundTransaction {
    var record = try record(row)
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
    if let input = row.member("input")?.string, input.hasPrefix("0x"), input != "0x",
      let data = EVMBytes.decode(input.dropFirst(2))
    {
      record.data = Data(data)
    }
    return FoundTransaction(record, receipt: receipt)
  }

  /// A token as a row of its transfers describes it.
  private static func token(_ row: JSONValue) throws(SyncError) -> Asset {
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

  private static func transfer(_ row: JSONValue) throws(SyncError) -> FoundTransaction {
    var found = FoundTransaction(try record(row))
    found.contract = try address(row, "contractAddress")
    found.logIndex = try? number(row, "logIndex").uint64
    return found
  }
}
