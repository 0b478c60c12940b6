import FuekiSync
import FuekiWallet
import Testing

/// Problems reported to the user when a server misbehaves, tested from the socket to the sentence.
@Suite struct SourceFaultTests {
  private static let own = "0x1111111111111111111111111111111111111111"

  private func problem(
    _ answer: @escaping @Sendable (LoopbackServer.Question) async -> LoopbackServer.Answer
  ) async throws -> String {
    let synced = try SyncedStore()
    let outcome = try await LoopbackServer.run(answer) { url in
      let wallet = try synced.addWallet(address: Self.own, urls: [url])
      let report = try await synced.sync(tries: 2).resync()
      // A faulty answer is not stored.
      #expect(try synced.wallet(wallet.id) == wallet)
      return (report.wallets[0], url)
    }
    #expect(outcome.0.state == .failed && outcome.0.problems.count == 1)
    let prefix = "ethereum-rpc at \(outcome.1): "
    #expect(outcome.0.told[0].hasPrefix(prefix))
    return String(outcome.0.told[0].dropFirst(prefix.count))
  }

  private func expect(
    _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
    of answer: @escaping @Sendable (LoopbackServer.Question) async -> LoopbackServer.Answer
  ) async throws {
    let problem = try await problem(answer)
    #expect(problem.contains(words), sourceLocation: sourceLocation)
  }

  @Test func `statuses`() async throws {
    try await expect("it needs a key") { _ in .text("", status: 401) }
    try await expect("check the endpoint's URL") { _ in .text("", status: 404) }
    try await expect("it has a problem of its own (HTTP 502): try again later") { _ in .text("", status: 502)
    }
    try await expect("it received too many requests") { _ in
      .text("", status: 429, headers: ["Retry-After": "0"])
    }
  }

  @Test func `bodies that are cut, endless or no JSON`() async throws {
    try await expect("no connection (the connection broke off)") { _ in
      LoopbackServer.Answer(body: .stream(announced: 1000, sent: 10, burst: 10, pause: .zero))
    }
    try await expect("its answer is longer than 16 MiB, so it was not used") { _ in
      LoopbackServer.Answer(body: .stream(announced: 64 << 20, sent: 64 << 20, burst: 1 << 16, pause: .zero))
    }
    try await expect("its answer makes no sense") { _ in .text("<html>") }
    try await expect("its answer makes no sense (a chain id)") { _ in .text(#"{"id":1,"result":"0x"}"#) }
  }

  @Test func `a redirection`() async throws {
    try await expect("it redirects to elsewhere.invalid, which you did not allow") { _ in
      .text("", status: 307, headers: ["Location": "https://elsewhere.invalid/"])
    }
  }

  @Test func `another chain, and an error of the server's own`() async throws {
    try await expect("it serves another chain: 1, but the wallet is on 1337. Check the endpoint's URL") { _ in
      .text(#"{"id":1,"result":"0x1"}"#)
    }
    try await expect("it answers with error -32000: no[2J") { _ in
      .text(#"{"id":1,"error":{"code":-32000,"message":"no\u001b[2J"}}"#)
    }
  }
}

/// Servers with accounts' histories, in Etherscan's and Blockscout's forms.
@Suite struct AccountAPITests {
  private static let own = "0x1111111111111111111111111111111111111111"
  private static let other = "0x2222222222222222222222222222222222222222"
  private static let token = "0x3333333333333333333333333333333333333333"

  private static func hash(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: 64 - digits.count) + digits
  }

  private static func row(_ number: Int, block: Int, more: String = "") -> String {
    #"{"blockNumber":"\#(block)","timeStamp":"1700000000","hash":"\#(hash(number))","nonce":"\#(number)","#
      + #""from":"\#(own)","to":"\#(other)","value":"1000000000000000000000","gas":"21000","#
      + #""gasPrice":"1000000000","gasUsed":"21000","isError":"0","input":"0x"\#(more)}"#
  }

  private static func transfer(_ number: Int, block: Int, value: String) -> String {
    #"{"blockNumber":"\#(block)","timeStamp":"1700000000","hash":"\#(hash(number))","nonce":"1","from":"\#(other)","#
      + #""contractAddress":"\#(token)","to":"\#(own)","value":"\#(value)","tokenName":"T\u001b[2J","#
      + #""tokenSymbol":"TKN","tokenDecimal":"6","gas":"1","gasPrice":"1","gasUsed":"1"}"#
  }

  private static func answer(_ rows: [String]) -> LoopbackServer.Answer {
    rows.isEmpty
      ? .text(#"{"status":"0","message":"No transactions found","result":[]}"#)
      : .text(#"{"status":"1","message":"OK","result":[\#(rows.joined(separator: ","))]}"#)
  }

  /// Answers as a server with rows in blocks from 1, three a page.
  private static func serve(
    _ question: LoopbackServer.Question, coins: [(Int, String)], tokens: [String] = []
  ) -> LoopbackServer.Answer {
    let query = question.query
    switch query["action"] {
    case "eth_blockNumber": return .text(#"{"jsonrpc":"2.0","id":1,"result":"0x64"}"#)
    case "balance": return .text(#"{"status":"1","message":"OK","result":"77"}"#)
    case "tokenbalance": return .text(#"{"status":"1","message":"OK","result":"12"}"#)
    case "tokentx": return answer(query["page"] == "1" ? tokens : [])
    case "txlistinternal": return answer([])
    default:
      let start = Int(query["startblock"] ?? "") ?? 0
      let page = (Int(query["page"] ?? "") ?? 1) - 1
      return answer(coins.filter { $0.0 >= start }.dropFirst(page * 3).prefix(3).map(\.1))
    }
  }

  private func findings(
    _ answer: @escaping @Sendable (LoopbackServer.Question) async -> LoopbackServer.Answer
  ) async throws -> WalletFindings {
    try await LoopbackServer.run(answer) { url in
      var wallet = Wallet()
      wallet.chainFamily = "evm"
      wallet.chainID = "1"
      wallet.address = PackedText.pack(Self.own)
      let pace = Pace(now: { 0 }, sleep: { _ in }, chance: { 0 })
      let client = ServerClient(transport: CurlTransport(), pace: pace)
      return try await AccountAPI(Connection(client, url: "\(url)/api"), pageLength: 3)
        .findings(for: WalletQuery(wallet: wallet, assets: [], startHeight: 0, open: []))
    }
  }

  @Test func `all pages are read, each row once, also where a block fills a page`() async throws {
    // Blocks 5, 5, 6, 6, 6, 6, 7.
    let coins = [5, 5, 6, 6, 6, 6, 7].enumerated().map { ($1, Self.row($0, block: $1)) }
    let asked = Journal<String>()
    let findings = try await findings { question in
      asked.note(question.query["chainid"] ?? "")
      return Self.serve(question, coins: coins)
    }
    #expect(findings.transactions.count == 7 && findings.balance == "77" && findings.tip.height == 100)
    #expect(Set(asked.entries) == ["1"])
    let first = try #require(findings.transactions.first)
    #expect(first.transaction.fee == "21000000000000" && first.transaction.amount == "1000000000000000000000")
    #expect(first.receipt?.success == true && first.contract == nil)
  }

  @Test func `token transfers come with their token, and nothing in its name steers a terminal`() async throws
  {
    let findings = try await findings {
      Self.serve(
        $0, coins: [],
        tokens: [Self.transfer(1, block: 3, value: "5"), Self.transfer(1, block: 3, value: "5")])
    }
    // Two equal transfers in one transaction are two.
    #expect(findings.transactions.map(\.transaction.amount) == ["5", "5"])
    #expect(findings.transactions.allSatisfy { $0.contract != nil && $0.logIndex == nil })
    let asset = try #require(findings.assets.first)
    #expect(asset.symbol == "TKN" && asset.name == "T[2J" && asset.decimals == 6 && asset.balance == "12")
  }

  @Test func `a failed transaction is one`() async throws {
    let row = Self.row(1, block: 1).replacing(#""isError":"0""#, with: #""isError":"1""#)
    let findings = try await findings { Self.serve($0, coins: [(1, row)]) }
    #expect(findings.transactions.first?.transaction.status == "failed")
  }

  @Test func `a limit that comes with status 200 is waited for`() async throws {
    let asked = Journal<Void>()
    let findings = try await findings { question in
      guard asked.note(()) > 1 else {
        return .text(#"{"status":"0","message":"NOTOK","result":"Max rate limit reached"}"#)
      }
      return Self.serve(question, coins: [])
    }
    #expect(findings.transactions.isEmpty && findings.balance == "77")
  }

  @Test func `what is no answer is told apart`() async throws {
    for (body, error) in [
      (#"{"status":"0","message":"NOTOK","result":"Invalid API Key"}"#, SyncError.refused(status: 403)),
      (#"{"status":"0","message":"NOTOK","result":"x"}"#, .server(code: 0, message: "notok x")),
      (#"{"status":"1","message":"OK"}"#, .malformed(what: "no result")),
    ] {
      await #expect(throws: error) {
        _ = try await findings { _ in .text(body) }
      }
    }
  }
}
