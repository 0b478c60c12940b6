import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import Synchronization
import Testing

/// Coins sent by contracts, in Etherscan's and Blockscout's lists.
@Suite struct InnerTransferTests {
  private static let own = "0x1111111111111111111111111111111111111111"
  private static let contract = "0x2222222222222222222222222222222222222222"
  private static let stranger = "0x3333333333333333333333333333333333333333"

  private static func hash(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: 64 - digits.count) + digits
  }

  /// Returns the row of a transaction that calls the contract.
  private static func outer(_ number: Int, block: Int, value: String = "0", to: String = contract) -> String {
    #"{"blockNumber":"\#(block)","timeStamp":"1700000000","hash":"\#(hash(number))","nonce":"\#(number)","#
      + #""from":"\#(own)","to":"\#(to)","value":"\#(value)","gas":"90000","gasPrice":"1000000000","#
      + #""gasUsed":"42000","isError":"0","txreceipt_status":"1","input":"0xdeadbeef","contractAddress":""}"#
  }

  /// Returns a row in Etherscan's form.
  private static func traced(
    _ number: Int, _ trace: String, block: Int, value: String = "5", from: String = contract,
    to: String = own, made: String = "", type: String = "call", failed: Bool = false
  ) -> String {
    #"{"blockNumber":"\#(block)","timeStamp":"1700000000","hash":"\#(hash(number))","from":"\#(from)","#
      + #""to":"\#(to)","value":"\#(value)","contractAddress":"\#(made)","input":"","type":"\#(type)","#
      + #""gas":"2300","gasUsed":"0","traceId":"\#(trace)","isError":"\#(failed ? 1 : 0)","errCode":""}"#
  }

  /// Returns a row in Blockscout's form.
  private static func indexed(
    _ number: Int, _ index: Int, block: Int, value: String = "5", from: String = contract,
    to: String = own, kind: String = "call"
  ) -> String {
    #"{"blockNumber":"\#(block)","timeStamp":"1700000000","transactionHash":"\#(hash(number))","index":"\#(index)","#
      + #""from":"\#(from)","to":"\#(to)","value":"\#(value)","contractAddress":"","input":"0x","type":"call","#
      + #""callType":"\#(kind)","gas":"2300","gasUsed":"0","isError":"0","errCode":""}"#
  }

  /// A server's lists, which also answer requests for empty ones.
  private struct Lists: Sendable {
    var transactions: [String] = []
    var inner: [String] = []
    var tokens: [String] = []
    /// The response in place of the list of inner transfers.
    var refusal: String?

    func answer(_ question: LoopbackServer.Question) -> LoopbackServer.Answer {
      let query = question.query
      func list(_ rows: [String], none: String) -> LoopbackServer.Answer {
        let start = Int(query["startblock"] ?? "") ?? 0
        let size = Int(query["offset"] ?? "") ?? 0
        let page = (Int(query["page"] ?? "") ?? 1) - 1
        let found = rows.filter { Self.block($0) >= start }.dropFirst(page * size).prefix(size)
        return found.isEmpty
          ? .text(#"{"status":"0","message":"\#(none)","result":[]}"#)
          : .text(#"{"status":"1","message":"OK","result":[\#(found.joined(separator: ","))]}"#)
      }
      switch query["action"] {
      case "eth_blockNumber": return .text(#"{"jsonrpc":"2.0","id":1,"result":"0x64"}"#)
      case "balance", "tokenbalance": return .text(#"{"status":"1","message":"OK","result":"77"}"#)
      case "txlist": return list(transactions, none: "No transactions found")
      case "tokentx": return list(tokens, none: "No token transfers found")
      case "txlistinternal":
        if let refusal { return .text(refusal) }
        return list(inner, none: "No internal transactions found")
      default:
        return .text(#"{"status":"0","message":"NOTOK","result":"Error! Missing Or invalid Action name"}"#)
      }
    }

    private static func block(_ row: String) -> Int {
      Int(row.dropFirst(#"{"blockNumber":""#.count).prefix { $0 != "\"" }) ?? 0
    }
  }

  /// Resyncs a wallet once with each server, and checks the store after each.
  private func resync(
    _ servers: [Lists], check: (ResyncReport, [Transaction], Wallet, SyncedStore) throws -> Void
  ) async throws {
    let now = Mutex(0)
    let answer: @Sendable (LoopbackServer.Question) async -> LoopbackServer.Answer = { question in
      servers[now.withLock { $0 }].answer(question)
    }
    try await LoopbackServer.run(answer) { url in
      let synced = try SyncedStore()
      let wallet = try synced.addWallet(address: Self.own, chain: 1, urls: ["\(url)/api"], kind: "etherscan")
      for number in servers.indices {
        now.withLock { $0 = number }
        let report = try await synced.sync().resync()
        let found = try synced.transactions(wallet.id).sorted {
          ($0.blockNumber, $0.amount, $0.metadata) < ($1.blockNumber, $1.amount, $1.metadata)
        }
        try check(report, found, try synced.wallet(wallet.id), synced)
      }
    }
  }

  @Test func `they stand beside the transaction, which stays as it is, and once however often one asks`()
    async throws
  {
    let lists = Lists(
      transactions: [Self.outer(1, block: 5)],
      inner: [
        Self.traced(1, "0_1", block: 5, value: "5"), Self.traced(1, "0_2", block: 5, value: "5"),
        Self.traced(2, "0", block: 6, value: "9"),
        Self.traced(3, "0", block: 7, value: "4", failed: true),
        Self.traced(
          4, "1", block: 8, value: "3", from: Self.own, to: "", made: Self.stranger, type: "create"),
        // Rows that transfer nothing.
        Self.traced(1, "0_3", block: 5, value: "0"),
        Self.traced(1, "0_4", block: 5, value: "5", type: "delegatecall"),
      ])
    var first: [Transaction] = []
    try await resync([lists, lists]) { report, found, wallet, synced in
      #expect(report.isComplete && report.wallets[0].warnings == [])
      #expect(report.wallets[0].counts.added == (first.isEmpty ? 6 : 0))
      #expect(report.wallets[0].counts.updated == 0)
      #expect(found.map(\.amount) == ["0", "5", "5", "9", "4", "3"])
      #expect(
        found.map(\.status) == ["confirmed", "confirmed", "confirmed", "confirmed", "failed", "confirmed"])
      #expect(
        found.map { $0.hasMetadata ? $0.metadata : "" } == [
          "", #"{"trace":"0_1"}"#, #"{"trace":"0_2"}"#, #"{"trace":"0"}"#, #"{"trace":"0"}"#,
          #"{"trace":"1"}"#,
        ])
      // Only the transaction has a fee, nonce and receipt, not the transfers in it.
      #expect(found.map { $0.hasFee ? $0.fee : "" } == ["42000000000000", "", "", "", "", ""])
      #expect(found.map(\.hasNonce) == [true, false, false, false, false, false])
      #expect(found[0].hash == found[1].hash && PackedText.text(found[1].from) == Self.contract)
      #expect(PackedText.text(found[5].to) == Self.stranger)
      for record in found {
        let receipts = try synced.store.receipts.fetch(.of(transaction: record.recordID))
        #expect(receipts.count == (record == found[0] ? 1 : 0))
      }
      #expect(first.isEmpty || first == found)
      first = found
      #expect(wallet.balance == "77")
    }
  }

  @Test func `servers that number calls and those that list their paths report the same calls`() async throws
  {
    let traced = Lists(
      transactions: [Self.outer(1, block: 5, value: "8")],
      inner: [Self.traced(1, "0_1", block: 5), Self.traced(1, "2", block: 5)])
    let indexed = Lists(
      transactions: traced.transactions,
      inner: [
        // Some transactions' lists start with the transaction itself.
        Self.indexed(1, 0, block: 5, value: "8", from: Self.own, to: Self.contract),
        Self.indexed(1, 2, block: 5), Self.indexed(1, 4, block: 5),
        Self.indexed(1, 5, block: 5, kind: "staticcall"),
      ])
    for order in [[traced, indexed, traced], [indexed, traced, indexed]] {
      var ids: [Data] = []
      try await resync(order) { report, found, _, _ in
        #expect(report.isComplete)
        #expect(found.map(\.amount) == ["5", "5", "8"])
        #expect(ids.isEmpty || ids == found.map(\.id))
        ids = found.map(\.id)
      }
    }
  }

  @Test func `all pages are read, and a limit with status 200 is waited for`() async throws {
    let rows = (0..<2500).map { Self.traced($0, "0", block: $0 / 1200 + 1) }
    let asked = Journal<String>()
    let lists = Lists(inner: rows)
    try await LoopbackServer.run { question in
      let query = question.query
      let number = asked.note(query["action"] ?? "")
      if query["action"] == "txlistinternal", number.isMultiple(of: 2) {
        return .text(
          #"{"status":"0","message":"NOTOK","result":"Max calls per sec rate limit reached (5/sec)"}"#)
      }
      return lists.answer(question)
    } test: { url in
      let synced = try SyncedStore()
      let wallet = try synced.addWallet(address: Self.own, chain: 1, urls: ["\(url)/api"], kind: "blockscout")
      let report = try await synced.sync(tries: 5).resync()
      #expect(report.isComplete && report.wallets[0].counts.added == 2500)
      #expect(try synced.transactions(wallet.id).count == 2500)
      #expect(asked.entries.filter { $0 == "txlistinternal" }.count > 3)
    }
  }

  @Test func `a limit that does not end is one, and nothing is kept`() async throws {
    let limit = #"{"status":"0","message":"NOTOK","result":"Max rate limit reached"}"#
    try await resync([Lists(transactions: [Self.outer(1, block: 5)], refusal: limit)]) {
      report, found, _, _ in
      #expect(report.wallets[0].state == .failed && found.isEmpty)
      #expect(
        report.wallets[0].told[0].hasSuffix(
          "it received too many requests: try again later, or use a key of your own"))
    }
  }

  @Test func `a server without the list says so, and what another told of stays`() async throws {
    let whole = Lists(
      transactions: [Self.outer(1, block: 95)],
      inner: [Self.traced(1, "0", block: 95), Self.traced(2, "0", block: 96)])
    for words in ["Unknown action", #"NOTOK","result":"Error! Missing Or invalid Action name"#] {
      let without = Lists(
        transactions: whole.transactions,
        refusal: #"{"status":"0","message":"\#(words)"}"#.replacing(
          #"Unknown action"}"#, with: #"Unknown action","result":null}"#))
      var turn = 0
      try await resync([whole, without, whole]) { report, found, _, _ in
        #expect(report.isComplete && found.map(\.status) == ["confirmed", "confirmed", "confirmed"])
        #expect(report.wallets[0].counts.dropped == 0)
        switch report.wallets[0].warnings.first {
        case .found(.innerUnlisted): #expect(turn == 1)
        case let warning: #expect(warning == nil && turn != 1)
        }
        turn += 1
      }
    }
  }

  @Test func `a transfer in no block is dropped, and comes back`() async throws {
    let whole = Lists(inner: [Self.traced(1, "0", block: 95), Self.traced(2, "0", block: 96)])
    let less = Lists(inner: [Self.traced(1, "0", block: 95)])
    var statuses: [[String]] = []
    try await resync([whole, less, whole]) { _, found, _, _ in statuses.append(found.map(\.status).sorted()) }
    #expect(
      statuses == [["confirmed", "confirmed"], ["confirmed", "dropped"], ["confirmed", "confirmed"]])
  }

  @Test func `collectibles are transfers of one, and no token's balance is asked for`() async throws {
    let row =
      #"{"blockNumber":"7","timeStamp":"1700000000","hash":"\#(Self.hash(1))","from":"\#(Self.stranger)","#
      + #""contractAddress":"\#(Self.contract)","to":"\#(Self.own)","logIndex":"3","tokenName":"Cat","#
      + #""tokenSymbol":"CAT","tokenDecimal":"","#
    let lists = Lists(tokens: [row + #""tokenID":"42"}"#, row + #""tokenIDs":["1","2"],"values":["1","1"]}"#])
    try await resync([lists]) { report, found, wallet, synced in
      #expect(report.isComplete && found.map(\.amount) == ["1"])
      #expect(found[0].metadata == #"{"token":"\#(Self.contract)","logIndex":3,"tokenId":"42"}"#)
      #expect(report.wallets[0].warnings == [.found(.bundlesUnlisted)])
      let assets = try synced.store.assets.fetch(.of(wallet: wallet.recordID))
      #expect(assets.isEmpty)
    }
  }
}
