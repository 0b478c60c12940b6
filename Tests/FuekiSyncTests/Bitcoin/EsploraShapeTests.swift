import FuekiSync
import FuekiWallet
import TestSupport
import Testing

/// Answers in the form of Esplora's description, from a scripted server.
@Suite struct EsploraShapeTests {
  private static func id(_ digit: Character) -> String { String(repeating: digit, count: 64) }
  /// BIP-84's example: the first receiving address and its script.
  private static let own = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
  private static let ownScript = "0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2"
  private static let other = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
  private static let otherScript = "0014e8df018c7e326cc253faac7e46cdc51e68542c42"

  private struct Server: Transport {
    let answers: [String: String]
    let asked = Journal<String>()

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let path = String(request.url.dropFirst("http://h/api".count))
      asked.note(path)
      // Esplora's answer about an unknown transaction.
      let unconfirmed = path.hasSuffix("/status") ? #"{"confirmed":false}"# : nil
      guard let answer = answers[path] ?? unconfirmed else {
        return HTTPResponse(status: 404, body: Array("not found".utf8))
      }
      return HTTPResponse(status: 200, body: Array(answer.utf8))
    }
  }

  private static func coin(_ script: String, _ address: String?, _ value: String) -> String {
    let address = address.map { #","scriptpubkey_address":"\#($0)""# } ?? ""
    return #"{"scriptpubkey":"\#(script)","scriptpubkey_type":"v0_p2wpkh"\#(address),"value":\#(value)}"#
  }

  private static func transaction(
    _ id: String, from inputs: [String?], to outputs: [String], fee: Int, status: String
  ) -> String {
    let inputs = inputs.map { #"{"txid":"\#(Self.id("9"))","vout":0,"prevout":\#($0 ?? "null")}"# }
    return #"{"txid":"\#(id)","version":2,"locktime":0,"vin":[\#(inputs.joined(separator: ","))],"#
      + #""vout":[\#(outputs.joined(separator: ","))],"size":1,"weight":4,"fee":\#(fee),"status":\#(status)}"#
  }

  private static let block =
    #"{"confirmed":true,"block_height":90,"block_hash":"\#(id("b"))","block_time":1700000000}"#

  private func server(_ use: String, history: [String], more: [String: String] = [:]) -> Server {
    let answers = [
      "/block-height/0": "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
      "/blocks/tip/hash": Self.id("a"),
      "/block/\(Self.id("a"))": #"{"id":"\#(Self.id("a"))","height":100,"timestamp":1700000600}"#,
      "/address/\(Self.own)": use, "/address/\(Self.own)/txs": "[\(history.joined(separator: ","))]",
    ]
    return Server(answers: answers.merging(more) { $1 })
  }

  private func findings(
    _ server: Server, from height: UInt64 = 0, open: [Transaction] = []
  ) async throws -> WalletFindings {
    var wallet = Wallet()
    wallet.chainFamily = "bitcoin"
    wallet.chainID = "bitcoin"
    wallet.address = PackedText.pack(Self.own)
    let client = ServerClient(transport: server, pace: Pace(now: { 0 }, sleep: { _ in }, chance: { 0 }))
    return try await EsploraSource(client, url: "http://h/api/").findings(
      for: WalletQuery(wallet: wallet, assets: [], startHeight: height, open: open))
  }

  private func use(_ chain: (UInt64, UInt64, Int), _ mempool: (UInt64, UInt64, Int) = (0, 0, 0)) -> String {
    let sums = { (sums: (UInt64, UInt64, Int)) in
      #"{"tx_count":\#(sums.2),"funded_txo_count":1,"funded_txo_sum":\#(sums.0),"#
        + #""spent_txo_count":1,"spent_txo_sum":\#(sums.1)}"#
    }
    return #"{"address":"\#(Self.own)","chain_stats":\#(sums(chain)),"mempool_stats":\#(sums(mempool))}"#
  }

  @Test func `transactions that do not add up, and counts that no address has`() async throws {
    let own = Self.coin(Self.ownScript, Self.own, "100000")
    let paid = Self.coin(Self.otherScript, Self.other, "69000")
    for fee in [0, 31_001, 2_100_000_000_000_000] {
      let history = [Self.transaction(Self.id("1"), from: [own], to: [paid], fee: fee, status: Self.block)]
      await #expect(throws: SyncError.malformed(what: "a transaction that does not add up")) {
        try await findings(server(use((100_000, 100_000, 1)), history: history))
      }
    }
    // The balance is correct whatever totals an address has. The count is only a number.
    let found = try await findings(server(use((.max, .max - 7, .max), (.max, .max, .max)), history: []))
    #expect(found.balance == "7" && found.partial != nil)
  }

  @Test func `amounts are net, and the other side is named where there is one`() async throws {
    let own = Self.coin(Self.ownScript, Self.own, "100000")
    let change = Self.coin(Self.ownScript, Self.own, "30000")
    let paid = Self.coin(Self.otherScript, Self.other, "69000")
    let payer = Self.coin(Self.otherScript, Self.other, "100500")
    let third = Self.coin("6a", nil, "0")
    let histories = [
      Self.transaction(
        Self.id("1"), from: [own], to: [paid, change], fee: 1000, status: #"{"confirmed":false}"#),
      Self.transaction(Self.id("2"), from: [payer], to: [own], fee: 500, status: Self.block),
      Self.transaction(Self.id("3"), from: [nil], to: [own], fee: 0, status: Self.block),
      Self.transaction(Self.id("4"), from: [own], to: [change, third], fee: 70000, status: Self.block),
      Self.transaction(
        Self.id("5"), from: [own, paid], to: [paid, third], fee: 100_000, status: Self.block),
      Self.transaction(Self.id("6"), from: [own, paid], to: [own, change], fee: 39000, status: Self.block),
    ]
    let server = server(use((400_000, 300_000, 5), (30_000, 100_000, 1)), history: histories)
    let found = try await findings(server)
    #expect(found.balance == "30000")
    #expect(found.tip.height == 100 && found.tip.time == 1_700_000_600_000_000)
    let rows = found.transactions.map(\.transaction).map { transaction -> [String?] in
      [
        String(PackedText.text(transaction.hash)?.prefix(1) ?? ""), PackedText.text(transaction.from),
        PackedText.text(transaction.to), transaction.amount, transaction.hasFee ? transaction.fee : nil,
        transaction.status,
      ]
    }
    #expect(
      rows == [
        ["2", Self.other, Self.own, "100000", nil, "confirmed"],
        ["3", "", Self.own, "100000", nil, "confirmed"],
        ["4", Self.own, "", "0", "70000", "confirmed"],
        ["5", Self.own, "", "100000", nil, "confirmed"],
        ["6", Self.other, Self.own, "30000", nil, "confirmed"],
        ["1", Self.own, Self.other, "69000", "1000", "pending"],
      ])
    #expect(found.transactions[0].transaction.timestamp == 1_700_000_000_000_000)
  }

  @Test func `open transactions are followed by their status, and a server that is behind judges none`()
    async throws
  {
    let open = [("1", 0), ("2", 95), ("3", 120), ("4", 96), ("5", 0)].map { digit, height in
      var transaction = Transaction()
      transaction.hash = PackedText.pack(Self.id(Character(digit)))
      transaction.amount = "7"
      transaction.status = height == 0 ? "pending" : "confirmed"
      if height > 0 { transaction.blockNumber = UInt64(height) }
      return transaction
    }
    let server = server(
      use((0, 0, 0)), history: [],
      more: (["4", "5"] as [Character]).reduce(into: [String: String]()) { more, digit in
        let status = digit == "4" ? Self.block : #"{"confirmed":false}"#
        let transaction = Self.transaction(
          Self.id(digit), from: [nil], to: [Self.coin(Self.otherScript, Self.other, "7")], fee: 0,
          status: status)
        more["/tx/\(Self.id(digit))/status"] = status
        more["/tx/\(Self.id(digit))"] = transaction
      })
    let found = try await findings(server, from: 90, open: open)
    #expect(found.transactions.map(\.transaction.status) == ["dropped", "dropped", "confirmed", "pending"])
    #expect(found.transactions.map(\.transaction.blockNumber) == [0, 0, 90, 0])
    #expect(found.transactions.allSatisfy { $0.transaction.amount == "7" })
    #expect(found.warnings.count == 2)
    // No history is requested of an unused address.
    #expect(!server.asked.entries.contains("/address/\(Self.own)/txs"))
  }

  @Test func `pages that end before what the address is said to have are not all`() async throws {
    let own = Self.coin(Self.ownScript, Self.own, "1000")
    let waiting = (["1", "2"] as [Character]).map {
      Self.transaction(Self.id($0), from: [nil], to: [own], fee: 0, status: #"{"confirmed":false}"#)
    }
    let settled = Self.transaction(Self.id("3"), from: [nil], to: [own], fee: 0, status: Self.block)
    let next = "/address/\(Self.own)/txs/chain/\(Self.id("3"))"
    let whole = try await findings(server(use((1000, 0, 1), (2000, 0, 2)), history: waiting + [settled]))
    #expect(whole.partial == nil && whole.transactions.count == 3)
    for (stated, history) in [
      // A page of unconfirmed transactions, without confirmed ones.
      (use((1000, 0, 1), (2000, 0, 2)), waiting), (use((1000, 0, 1), (3000, 0, 3)), waiting + [settled]),
      (use((2000, 0, 2)), [settled]), (use((2000, 0, 2)), []),
    ] {
      let cut = try await findings(server(stated, history: history, more: [next: "[]"]))
      #expect(cut.partial == .longHistory)
    }
    // Transactions below the height are not requested.
    #expect(try await findings(server(use((2000, 0, 2)), history: [settled]), from: 91).partial == nil)
  }

  @Test(arguments: [
    #"{"chain_stats":{}}"#, "[]", "", #"{"chain_stats":{"tx_count":-1}}"#, "<html>", "null",
    #"{"chain_stats":{"tx_count":1.5,"funded_txo_sum":1,"spent_txo_sum":1},"mempool_stats":{}}"#,
  ])
  func `what is no answer gives no findings`(_ answer: String) async throws {
    let server = server(answer, history: [])
    let error = await #expect(throws: SyncError.self) { try await findings(server) }
    switch error {
    case .malformed, .notJSON: break
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test(.enabled(if: Fixtures.folder("esplora") != nil, "the fixtures are not here"))
  func `the fields that are read are those that Esplora's description names`() throws {
    let text = String(decoding: try Fixtures.file("esplora/API.md"), as: UTF8.self)
    for word in [
      "GET /blocks/tip/hash", "GET /block-height/:height", "GET /block/:hash", "GET /address/:address",
      "/scripthash/:hash", "/txs/chain[/:last_seen_txid]", "GET /tx/:txid", "`chain_stats`",
      "{chain,mempool}_stats", "`tx_count`", "`funded_txo_sum`", "`spent_txo_sum`", "`prevout`",
      "`scriptpubkey`",
      "`scriptpubkey_address`", "`value`", "`fee`", "`block_height`", "`block_hash`", "`block_time`",
      "`timestamp`",
      "25 transactions per page", "50 mempool transactions",
    ] {
      let isThere =
        text.contains(word) || text.replacing("`", with: "").contains(word.replacing("`", with: ""))
      #expect(isThere, "\(word)")
    }
  }
}
