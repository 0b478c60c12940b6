import FuekiStore
import FuekiSync
import FuekiWallet
import Testing

/// Nodes with false or inconsistent answers.
///
/// Those are rejected, and no stored data is lost.
@Suite struct HostileNodeTests {
  static let own = "0x1111111111111111111111111111111111111111"
  static let other = "0x2222222222222222222222222222222222222222"
  private static let word = String(repeating: "0", count: 24)
  static let hash = "0x" + String(repeating: "ab", count: 32)

  /// A node with scripted JSON answers by method, errors after `!`.
  ///
  /// Other methods answer as an ordinary node at block 100.
  struct Node: Transport {
    let answers: [String: String]

    init(_ answers: [String: String]) { self.answers = answers }

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      guard let root = try? JSONDocument(request.body, limit: request.body.count).root else {
        throw .invalidURL
      }
      let calls = root.kind == .array ? Array(root.children) : [root]
      let results = calls.map { call in
        let answer = result(of: call)
        let member = answer.hasPrefix("!") ? #""error":\#(answer.dropFirst())"# : #""result":\#(answer)"#
        return #"{"jsonrpc":"2.0","id":\#(call.member("id")?.number ?? "0"),\#(member)}"#
      }
      let text = root.kind == .array ? "[\(results.joined(separator: ","))]" : results[0]
      return HTTPResponse(status: 200, body: Array(text.utf8))
    }

    private func result(of call: JSONValue) -> String {
      let method = call.member("method")?.string ?? ""
      let first = call.member("params")?.children.first { _ in true }?.string ?? ""
      if let answer = answers["\(method) \(first)"] ?? answers[method] { return answer }
      switch method {
      case "eth_chainId": return #""0x539""#
      case "eth_getBlockByNumber": return HostileNodeTests.block(first == "latest" ? "0x64" : first)
      case "eth_getBalance": return #""0x5""#
      case "eth_getTransactionCount": return #""0x0""#
      case "eth_getLogs": return "[]"
      default: return "null"
      }
    }
  }

  static func block(
    _ number: String, time: String = "0x6553f100", transactions: String = ""
  ) -> String {
    #"{"number":"\#(number)","hash":"\#(hash)","timestamp":"\#(time)","transactions":[\#(transactions)]}"#
  }

  private static func log(from: String, to: String, block: String = "0x50") -> String {
    let word = "0x" + word
    let topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
    return #"{"address":"\#(other)","topics":["\#(topic)","\#(word + from.dropFirst(2))","#
      + #""\#(word + to.dropFirst(2))"],"data":"0x\#(String(repeating: "0", count: 63))7","#
      + #""blockNumber":"\#(block)","transactionHash":"\#(hash)","logIndex":"0x0"}"#
  }

  /// Returns the reported problem, expecting an unchanged wallet.
  private func problem(
    _ answers: [String: String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let synced = try SyncedStore()
    let wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    let report = try await synced.sync(tries: 1, transport: Node(answers)).resync()
    #expect(report.wallets[0].state == .failed, sourceLocation: sourceLocation)
    #expect(try synced.wallet(wallet.id) == wallet, sourceLocation: sourceLocation)
    #expect(try synced.transactions(wallet.id).isEmpty, sourceLocation: sourceLocation)
    return report.wallets[0].told.joined()
  }

  @Test func `an ordinary node is believed`() async throws {
    let synced = try SyncedStore()
    let wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    let report = try await synced.sync(tries: 1, transport: Node([:])).resync()
    #expect(report.isComplete, "\(report.wallets[0].told)")
    #expect(try synced.wallet(wallet.id).balance == "5")
  }

  @Test(arguments: [
    "0xffffffffffffffff", "0x10000000001", "0x7fffffffffffffff",
    "0x" + String(repeating: "f", count: 64), "-0x1", "1",
  ])
  func `a height that no chain has`(height: String) async throws {
    let problem = try await problem(["eth_getBlockByNumber latest": Self.block(height)])
    #expect(problem.contains("its answer makes no sense (a block's number)"))
  }

  @Test(arguments: ["0xffffffffffffffff", "0x8637bd05af6", "0x-1"])
  func `a time that no calendar has`(time: String) async throws {
    let problem = try await problem(["eth_getBlockByNumber latest": Self.block("0x64", time: time)])
    #expect(problem.contains("its answer makes no sense (a block's time)"))
  }

  @Test(arguments: [
    "0x1" + String(repeating: "0", count: 64), "0x" + String(repeating: "f", count: 65), "-5", "0x-5",
  ])
  func `a balance that no account has`(balance: String) async throws {
    let problem = try await problem(["eth_getBalance": #""\#(balance)""#])
    #expect(problem.contains("its answer makes no sense (a balance)"))
  }

  @Test func `the highest balance, and zeros before a number`() async throws {
    let synced = try SyncedStore()
    let wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    let balance = "0x" + String(repeating: "0", count: 100) + String(repeating: "f", count: 64)
    _ = try await synced.sync(tries: 1, transport: Node(["eth_getBalance": #""\#(balance)""#])).resync()
    #expect(
      try synced.wallet(wallet.id).balance
        == "115792089237316195423570985008687907853269984665640564039457584007913129639935")
  }

  @Test func `logs of others, and of other blocks`() async throws {
    let others = Self.log(from: Self.other, to: Self.other)
    #expect(try await problem(["eth_getLogs": "[\(others)]"]).contains("a log that was not requested"))
    let later = Self.log(from: Self.other, to: Self.own, block: "0x65")
    #expect(try await problem(["eth_getLogs": "[\(later)]"]).contains("a log that was not requested"))
    #expect(try await problem(["eth_getLogs": "{}"]).contains("no list of logs"))
  }

  @Test func `another transaction, and another's receipt`() async throws {
    let logs = "[\(Self.log(from: Self.other, to: Self.own))]"
    let transaction = { (hash: String) in
      #"{"hash":"\#(hash)","from":"\#(Self.other)","to":"\#(Self.own)","value":"0x1","nonce":"0x0","#
        + #""blockNumber":"0x50"}"#
    }
    let another = "0x" + String(repeating: "cd", count: 32)
    #expect(
      try await problem(["eth_getLogs": logs, "eth_getTransactionByHash": transaction(another)])
        .contains("a transaction that was not requested"))
    #expect(
      try await problem([
        "eth_getLogs": logs, "eth_getTransactionByHash": transaction(Self.hash),
        "eth_getTransactionReceipt": #"{"transactionHash":"\#(another)","status":"0x1","gasUsed":"0x1"}"#,
      ]).contains("another transaction's receipt"))
  }

  @Test func `a block that was not requested`() async throws {
    let synced = try SyncedStore()
    var wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    wallet.lastSynced.height = 90
    wallet.lastSynced.hash = PackedText.pack(Self.hash)
    try synced.store.wallets.load([wallet])
    let node = Node(["eth_getBlockByNumber 0x5a": Self.block("0x5b")])
    let report = try await synced.sync(tries: 1, transport: node).resync()
    #expect(report.wallets[0].told.joined().contains("a block that was not requested"))
    #expect(try synced.wallet(wallet.id).lastSynced == wallet.lastSynced)
  }

  @Test(arguments: [SyncStart.lastSynced, .birthday, .height(.max), .height(0)])
  func `a height that was never true stops one wallet, until a person says where to look`(
    start: SyncStart
  ) async throws {
    let synced = try SyncedStore()
    var wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    try synced.addWallet("Other", address: Self.other, urls: ["http://node"])
    wallet.lastSynced.height = .max
    wallet.birthday.height = .max
    try synced.store.wallets.load([wallet])
    let report = try await synced.sync(start: start, tries: 1, transport: Node([:])).resync()
    #expect(report.wallets.map(\.isComplete) == [start != .lastSynced, true])
    #expect(try synced.wallet(wallet.id).lastSynced.height == (start == .lastSynced ? .max : 100))
  }

  @Test func `more than the memory should hold is not asked for`() async throws {
    // A server on which every page is full.
    let row =
      #"{"blockNumber":"1","timeStamp":"1","hash":"\#(Self.hash)","from":"\#(Self.own)","to":"\#(Self.own)","#
      + #""value":"1"}"#
    let server = Pages(row: row)
    var wallet = Wallet()
    wallet.chainFamily = "evm"
    wallet.chainID = "1"
    wallet.address = PackedText.pack(Self.own)
    let pace = Pace(now: { 0 }, sleep: { _ in }, chance: { 0 })
    let source = AccountAPI(
      Connection(ServerClient(transport: server, pace: pace), url: "http://h"), pageLength: 1)
    await #expect(throws: SyncError.malformed(what: "more than 1000 pages")) {
      try await source.findings(
        for: WalletQuery(wallet: wallet, assets: [], startHeight: 0, open: []))
    }
  }

  @Test(arguments: [
    (#"{"blockNumber":"18446744073709551615"}"#, "a row's block"),
    (#"{"blockNumber":"1","timeStamp":"9223372036854775807"}"#, "a row's time"),
    (#"{"from":"0x3333333333333333333333333333333333333333"}"#, "a row of another account"),
    (#"{"hash":"0x\#(String(repeating: "zz", count: 32))"}"#, "a row's hash"),
    (#"{"value":"-1"}"#, "value of a row"),
    (
      #"{"value":"115792089237316195423570985008687907853269984665640564039457584007913129639936"}"#,
      "value of a row"
    ),
  ])
  func `a row that no chain has`(changed: String, words: String) async throws {
    var members = [
      "blockNumber": "1", "timeStamp": "1", "hash": Self.hash, "from": Self.own, "to": Self.other,
      "value": "1",
    ]
    for member in try JSONDocument(Array(changed.utf8), limit: 1000).root.children {
      members[member.name] = member.string
    }
    let row = "{" + members.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",") + "}"
    var wallet = Wallet()
    wallet.chainFamily = "evm"
    wallet.chainID = "1"
    wallet.address = PackedText.pack(Self.own)
    let pace = Pace(now: { 0 }, sleep: { _ in }, chance: { 0 })
    let source = AccountAPI(Connection(ServerClient(transport: Pages(row: row), pace: pace), url: "http://h"))
    await #expect(throws: SyncError.malformed(what: words)) {
      try await source.findings(
        for: WalletQuery(wallet: wallet, assets: [], startHeight: 0, open: []))
    }
  }

  /// A server that answers every list with the same row.
  private struct Pages: Transport {
    let row: String

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let result =
        request.url.contains("blockNumber")
        ? #""0x64""# : request.url.contains("action=balance") ? #""1""# : "[\(row)]"
      return HTTPResponse(
        status: 200, body: Array(#"{"status":"1","message":"OK","result":\#(result)}"#.utf8))
    }
  }
}
