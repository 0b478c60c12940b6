import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import Testing

/// Account APIs' lists that change between two requests, and between resyncs.
@Suite struct AccountListTests {
  private static let first = "0x1111111111111111111111111111111111111111"
  private static let second = "0x2222222222222222222222222222222222222222"
  private static let stranger = "0x3333333333333333333333333333333333333333"

  private static func hash(_ digits: String) -> String { "0x" + String(repeating: digits, count: 32) }

  /// A server with scripted lists by action and number of requests so far.
  private struct Server: Transport {
    let lists: @Sendable (String, Int) -> [String]
    let asked = Journal<String>()

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let query = request.url.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
      let action = query.first { $0.first == "action" }?.last.map { "\($0)" } ?? ""
      let number = asked.note(action)
      let result =
        switch action {
        case "eth_blockNumber": #""0x64""#
        case "balance", "tokenbalance": #""77""#
        default: "[\(lists(action, number).joined(separator: ","))]"
        }
      return HTTPResponse(
        status: 200, body: Array(#"{"status":"1","message":"OK","result":\#(result)}"#.utf8))
    }
  }

  private static func sent(_ hash: String, nonce: Int, block: Int = 90) -> String {
    #"{"blockNumber":"\#(block)","timeStamp":"1700000000","hash":"\#(hash)","nonce":"\#(nonce)","#
      + #""from":"\#(first)","to":"\#(stranger)","value":"7","gas":"21000","gasPrice":"1","gasUsed":"21000","#
      + #""isError":"0","txreceipt_status":"1","input":"0x","contractAddress":""}"#
  }

  @Test func `a transfer between two accounts is one, although a block came between their lists`()
    async throws
  {
    let server = Server { action, number in
      guard action == "tokentx" else { return [] }
      // Etherscan's rows count confirmations, and have no log index.
      return [3, 3].map { value in
        #"{"blockNumber":"90","timeStamp":"1700000000","hash":"\#(Self.hash("ab"))","from":"\#(Self.first)","#
          + #""to":"\#(Self.second)","contractAddress":"\#(Self.stranger)","value":"\#(value)","#
          + #""tokenName":"T","tokenSymbol":"T","tokenDecimal":"6","confirmations":"\#(10 + number)"}"#
      }
    }
    let synced = try SyncedStore()
    var wallet = try synced.addWallet(
      address: Self.first, chain: 1, urls: ["http://h/api"], kind: "etherscan")
    var account = Account()
    account.address = PackedText.pack(Self.second)
    wallet.accounts.append(account)
    try synced.store.wallets.load([wallet])
    for _ in 0..<2 {
      let report = try await synced.sync(tries: 1, transport: server).resync()
      #expect(report.isComplete, "\(report.wallets[0].told)")
    }
    // Two equal rows in one list are two transfers, since nothing else distinguishes them.
    #expect(try synced.transactions(wallet.id).count == 2)
  }

  @Test func `what waited is dropped once another with its nonce is in a block`() async throws {
    let server = Server { action, _ in
      action == "txlist" ? [Self.sent(Self.hash("cd"), nonce: 5), Self.sent(Self.hash("ef"), nonce: 7)] : []
    }
    let synced = try SyncedStore()
    let wallet = try synced.addWallet(
      address: Self.first, chain: 1, urls: ["http://h/api"], kind: "etherscan")
    for (id, from, nonce) in [("a", Self.first, 5), ("b", Self.first, 6), ("c", Self.second, 7)] {
      var record = Transaction()
      record.id = PackedText.pack(id)
      record.walletID = wallet.id
      record.hash = PackedText.pack(Self.hash("0\(id)"))
      record.from = PackedText.pack(from)
      record.to = PackedText.pack(Self.stranger)
      record.amount = "7"
      record.status = "pending"
      record.nonce = UInt64(nonce)
      try synced.store.transactions.load([record])
    }
    let report = try await synced.sync(tries: 1, transport: server).resync()
    #expect(report.isComplete && report.wallets[0].counts.dropped == 1)
    let statuses = try ["a", "b", "c"].map {
      try synced.store.transactions.find(RecordID($0))?.status
    }
    #expect(statuses == ["dropped", "pending", "pending"])
  }

  @Test func `what an account had from the first block on is no transaction, and no reason to stop`()
    async throws
  {
    let server = Server { action, _ in
      guard action == "txlist" else { return [] }
      return [
        #"{"blockNumber":"0","timeStamp":"1438269973","hash":"GENESIS_1111111111111111111111111111111111111111","#
          + #""nonce":"","blockHash":"","transactionIndex":"0","from":"GENESIS","to":"\#(Self.first)","#
          + #""value":"10000000000000000000000","gas":"0","gasPrice":"0","isError":"0","txreceipt_status":"","#
          + #""input":"","contractAddress":"","cumulativeGasUsed":"0","gasUsed":"0","confirmations":"12698061"}"#,
        Self.sent(Self.hash("cd"), nonce: 0),
      ]
    }
    let synced = try SyncedStore()
    let wallet = try synced.addWallet(
      address: Self.first, chain: 1, urls: ["http://h/api"], kind: "etherscan")
    let report = try await synced.sync(tries: 1, transport: server).resync()
    #expect(report.isComplete, "\(report.wallets[0].told)")
    #expect(try synced.transactions(wallet.id).map(\.amount) == ["7"])
    #expect(try synced.wallet(wallet.id).balance == "77")
  }
}
