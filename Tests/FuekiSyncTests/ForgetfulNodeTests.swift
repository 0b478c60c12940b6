import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import Testing

/// Nodes that have pruned old state, are behind or fail in part.
///
/// Missing answers must not count as success.
@Suite struct ForgetfulNodeTests {
  private typealias Node = HostileNodeTests.Node
  private static let own = HostileNodeTests.own
  private static let other = HostileNodeTests.other
  private static let hash = HostileNodeTests.hash

  private static func transaction(block: String) -> String {
    #"{"hash":"\#(hash)","from":"\#(own)","to":"\#(other)","value":"0x1","nonce":"0x0","gas":"0x5208","#
      + #""gasPrice":"0x1","blockNumber":\#(block)}"#
  }

  private static let receipt =
    #"{"transactionHash":"\#(hash)","status":"0x1","gasUsed":"0x5208","effectiveGasPrice":"0x1","logs":[]}"#

  /// An ordinary node with a payment in block 5.
  private static let paid = [
    "eth_getBlockByNumber 0x5": HostileNodeTests.block("0x5", transactions: transaction(block: #""0x5""#)),
    "eth_getTransactionByHash": transaction(block: #""0x5""#), "eth_getTransactionReceipt": receipt,
  ]

  private static func token(of wallet: Wallet) -> Asset {
    var token = Asset()
    token.id = PackedText.pack("token")
    token.walletID = wallet.id
    token.kind = AssetKind.erc20.rawValue
    token.contract = PackedText.pack(other)
    token.balance = "700"
    return token
  }

  private func resync(
    _ answers: [String: String], open: [Transaction] = [], change: (inout Wallet) -> Void = { _ in }
  ) async throws -> (WalletOutcome, [Transaction], SyncedStore, Wallet) {
    let synced = try SyncedStore()
    var wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    change(&wallet)
    try synced.store.wallets.load([wallet])
    try synced.store.transactions.save(
      contentsOf:
        open.map { transaction in
          var transaction = transaction
          transaction.walletID = wallet.id
          return transaction
        })
    let report = try await synced.sync(tries: 1, transport: Node(answers)).resync()
    return (report.wallets[0], try synced.transactions(wallet.id), synced, try synced.wallet(wallet.id))
  }

  @Test func `a node that has all of it tells all`() async throws {
    let (outcome, found, _, wallet) = try await resync(Self.paid)
    #expect(outcome.isComplete, "\(outcome.told)")
    #expect(found.map(\.status) == ["confirmed"] && wallet.lastSynced.height == 100)
  }

  @Test func `a block that the node has no more may have held something`() async throws {
    let (outcome, _, _, wallet) = try await resync(
      Self.paid.merging(["eth_getBlockByNumber 0x5": "null"]) { $1 })
    #expect(outcome.told.joined().contains("gave only a part (the node does not have block 5)"))
    #expect(wallet.balance == "5" && wallet.lastSynced.height == 4)
  }

  @Test(arguments: ["eth_getTransactionByHash", "eth_getTransactionReceipt"])
  func `a transaction of which the node knows no more than its block is neither lost nor waiting`(
    method: String
  )
    async throws
  {
    let (outcome, found, _, wallet) = try await resync(Self.paid.merging([method: "null"]) { $1 })
    #expect(outcome.told.joined().contains("the node no longer knows how 1 transaction ended"))
    #expect(wallet.balance == "5" && !wallet.hasLastSynced && found.isEmpty)
  }

  @Test func `a node a few blocks behind gives up nothing that came later`() async throws {
    var record = Transaction()
    record.id = PackedText.pack("a")
    record.hash = PackedText.pack("0x" + String(repeating: "cd", count: 32))
    record.from = PackedText.pack(Self.own)
    record.amount = "7"
    record.status = "confirmed"
    record.blockNumber = 105
    var gone = record
    gone.id = PackedText.pack("b")
    gone.hash = PackedText.pack("0x" + String(repeating: "ef", count: 32))
    gone.blockNumber = 99
    let (outcome, found, _, _) = try await resync([:], open: [record, gone]) { $0.lastSynced.height = 106 }
    let statuses = found.sorted { $0.id.lexicographicallyPrecedes($1.id) }.map(\.status)
    #expect(statuses == ["confirmed", "dropped"] && outcome.counts.dropped == 1)
    #expect(outcome.toldBesides.joined().contains("is only at block 100, but block 106 was seen before"))
  }

  @Test(arguments: [
    (-32007, "15/second request limit reached - reduce calls per second"), (429, "capacity exceeded"),
    (-32016, "over rate limit"), (-32000, "Too Many Requests"),
  ])
  func `a limit on requests that a node states with status 200 is one`(code: Int, words: String) async throws
  {
    let synced = try SyncedStore()
    let wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    try synced.store.assets.load([Self.token(of: wallet)])
    let node = Node(["eth_call": #"!{"code":\#(code),"message":"\#(words)"}"#])
    let report = try await synced.sync(tries: 2, transport: node).resync()
    #expect(report.wallets[0].told.joined().contains("it received too many requests"))
  }

  @Test(arguments: [
    (-32603, "Internal error", false), (-32000, "missing trie node 1234", false),
    (-32000, "execution timeout", false), (3, "execution reverted: timeout", true),
    (-32000, "execution reverted: too many requests", true),
    (-32000, "execution reverted", true), (-32000, "out of gas", true), (-32015, "VM execution error.", true),
  ])
  func `a token's balance that the node fails to tell is no success, and a contract's refusal is its own`(
    code: Int, words: String, isComplete: Bool
  ) async throws {
    let synced = try SyncedStore()
    let wallet = try synced.addWallet(address: Self.own, urls: ["http://node"])
    try synced.store.assets.load([Self.token(of: wallet)])
    let node = Node(["eth_call": #"!{"code":\#(code),"message":"\#(words)"}"#])
    let report = try await synced.sync(tries: 1, transport: node).resync()
    #expect(report.isComplete == isComplete, "\(report.wallets[0].told)")
    #expect(report.wallets[0].state == .fresh)
    if !isComplete {
      #expect(report.wallets[0].told.joined().contains("the node could not report the balance of 1 token"))
    }
    #expect(try synced.store.assets.fetch(.of(wallet: wallet.recordID)).map(\.balance) == ["700"])
    #expect(try synced.wallet(wallet.id).lastSynced.height == 100)
  }
}
