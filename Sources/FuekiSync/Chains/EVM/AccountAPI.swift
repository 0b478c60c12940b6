internal import FoundationEssentials
internal import FuekiWallet

/// A server with every account's history: Etherscan, Blockscout and compatible ones.
///
/// The API has no method for the chain's id. Etherscan's version 2 takes it as a parameter.
package struct AccountAPI: ChainSource {
  private let connection: Connection
  private let pageLength: Int
  /// The limit of pages per list, so that a server can neither stall a resync nor exhaust memory.
  private static let requestLimit = 1000

  /// Creates a source for the API at a URL, such as `https://eth.blockscout.com/api`.
  package init(_ connection: Connection, pageLength: Int = 1000) {
    self.connection = connection
    self.pageLength = pageLength
  }

  /// Returns all data of the server on the wallet's accounts.
  public func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    let accounts = try EVMAccounts(query.wallet)
    let chain = query.wallet.chainID
    let tip = try await tip(chain)
    var findings = WalletFindings(tip: tip)
    var balances: [Amount] = []
    var tokens = query.assets.filter { $0.assetKind == .erc20 }
    var history = AccountHistory()
    findings.listsInner = true
    for account in accounts.addresses {
      balances.append(try await balance("action=balance", of: account, chain))
      let start = query.startHeight
      try history.take(transactions: try await rows("txlist", account, start, chain), of: account)
      try history.take(transfers: try await rows("tokentx", account, start, chain), of: account, &tokens)
      do throws(SyncError) {
        try history.take(inner: try await rows("txlistinternal", account, start, chain), of: account)
      } catch {
        guard case .unsupported = error else { throw error }
        findings.listsInner = false
      }
    }
    findings.balance = Amount.sum(balances).canonicalText
    findings.transactions = history.found
    if !findings.listsInner {
      let server = HTTPRequest(.get, connection.url).server
      findings.warnings.append(.innerUnlisted(server: server))
    }
    if history.hasBundles {
      findings.warnings.append(.bundlesUnlisted)
    }
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

  /// Returns all rows of a list, page by page.
  ///
  /// Servers return at most some thousand rows per query, so each page starts at the last block of the
  /// previous one. Only a block that fills a page by itself is paged.
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
      let last = try AccountHistory.height(row)
      if last > from {
        // Its rows are returned again, all of them.
        while let row = rows.last, try AccountHistory.height(row) == last { rows.removeLast() }
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

  /// Returns the chain's height.
  ///
  /// The two kinds of servers have different methods for it.
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

  /// Returns an answer's result.
  ///
  /// Errors come with HTTP 200 and are recognised by their text.
  private static func result(_ body: [UInt8]) throws(SyncError) -> JSONValue {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(body, limit: body.count)
    } catch {
      throw .notJSON(error, of: nil)
    }
    guard let result = document.root.member("result") else { throw .malformed(what: "no result") }
    guard document.root.member("status")?.string == "0" else { return result }
    let words = [document.root.member("message")?.string, result.string].compactMap { $0 }
      .joined(separator: " ").lowercased()
    let isEmpty = ["no transactions found", "no internal transactions found", "no token transfers found"]
    if isEmpty.contains(where: words.contains) { return result }
    if words.contains("rate limit") { throw .rateLimited }
    // Servers describe unsupported actions in their own words.
    if ["unknown action", "invalid action", "unknown module"].contains(where: words.contains) {
      throw .unsupported(what: "the requested action")
    }
    if words.contains("api key") { throw .refused(status: 403) }
    throw .server(code: 0, message: TokenReader.printable(words, limit: 200))
  }
}
