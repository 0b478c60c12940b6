import FoundationEssentials
import FuekiStore
import FuekiSync
import FuekiWallet
import Testing

/// Bitcoin servers with answers that no chain has.
///
/// Those are rejected, and no stored data is lost.
@Suite struct HostileBitcoinTests {
  static func id(_ digit: Character) -> String { String(repeating: digit, count: 64) }
  static let regtest = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"
  private static let litecoin = "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9"

  /// An Esplora server.
  ///
  /// Without scripted answers, it is an ordinary server at block 100 with no payments.
  private struct Esplora: Transport {
    var genesis = HostileBitcoinTests.regtest
    var tip = "100"
    let asked = Journal<String>()
    /// Scripted answers about an address and its transactions.
    var use: @Sendable (String) -> String = { _ in HostileBitcoinTests.use(0, 0, count: 0) }
    var history: @Sendable (String) -> String = { _ in "[]" }

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let path = String(request.url.dropFirst("http://h".count))
      asked.note(path)
      let parts = path.split(separator: "/").map(String.init)
      let answer =
        switch (parts[0], parts.last) {
        case ("block-height", _): genesis
        case ("blocks", _): HostileBitcoinTests.id("a")
        case ("block", _): #"{"height":\#(tip),"timestamp":1700000600}"#
        case (_, "txs"): history(parts[1])
        default: use(parts[1])
        }
      return HTTPResponse(status: 200, body: Array(answer.utf8))
    }
  }

  private static func use(_ funded: Int128, _ spent: Int128, count: Int) -> String {
    #"{"chain_stats":{"tx_count":\#(count),"funded_txo_sum":\#(funded),"spent_txo_sum":\#(spent)},"#
      + #""mempool_stats":{"tx_count":0,"funded_txo_sum":0,"spent_txo_sum":0}}"#
  }

  private static func coin(_ address: String, _ value: String) -> String {
    let script = BitcoinNetwork.named("bitcoin-regtest")?.outputScript(of: address) ?? []
    let hex = script.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return #"{"scriptpubkey":"\#(hex)","scriptpubkey_address":"\#(address)","value":\#(value)}"#
  }

  private static func transaction(
    _ id: String, to outputs: [String], fee: String = "0", height: String = "90"
  ) -> String {
    #"[{"txid":"\#(id)","vin":[{"prevout":null}],"vout":[\#(outputs.joined(separator: ","))],"fee":\#(fee),"#
      + #""status":{"confirmed":true,"block_height":\#(height),"block_hash":"\#(Self.id("b"))"}}]"#
  }

  private func wallet(
    in synced: SyncedStore, chain: String = "bitcoin-regtest", kind: String = "esplora", gap: UInt32 = 1
  ) throws -> Wallet {
    var wallet = Wallet()
    wallet.id = PackedText.pack("wallet")
    wallet.name = "Main"
    wallet.chainFamily = "bitcoin"
    wallet.chainID = chain
    wallet.descriptors = [TestKeys.descriptors[0]]
    wallet.gapLimit = gap
    var endpoint = Endpoint()
    endpoint.kind = kind
    endpoint.url = "http://h"
    wallet.endpoints = [endpoint]
    try synced.store.wallets.load([wallet])
    return wallet
  }

  /// Returns the reported problem, expecting an unchanged wallet.
  private func problem(
    _ server: any Transport, kind: String = "esplora", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, kind: kind)
    let report = try await synced.sync(tries: 1, transport: server).resync()
    #expect(report.wallets[0].state == .failed, sourceLocation: sourceLocation)
    #expect(try synced.wallet(wallet.id) == wallet, sourceLocation: sourceLocation)
    #expect(try synced.transactions(wallet.id).isEmpty, sourceLocation: sourceLocation)
    return report.wallets[0].told.joined()
  }

  private static let heights = ["18446744073709551615", "9223372036854775807", "1099511627776", "500000000"]

  @Test(arguments: heights)
  func `a height that no chain has`(height: String) async throws {
    #expect(try await problem(Esplora(tip: height)).contains("the block, height is no height"))
    var server = Esplora()
    server.use = { _ in Self.use(7, 0, count: 1) }
    server.history = { Self.transaction(Self.id("1"), to: [Self.coin($0, "7")], height: height) }
    #expect(try await problem(server).contains("block_height is no height"))
    #expect(try await problem(CoreStub(tip: height), kind: "bitcoin-rpc").contains("blocks is no height"))
    let node = CoreStub(tip: "100", places: [0], height: height)
    #expect(try await problem(node, kind: "bitcoin-rpc").contains("blockheight is no height"))
  }

  @Test(
    arguments: [
      ("bitcoin-regtest", regtest, 2_100_000_000_000_000),
      ("litecoin-regtest", litecoin, 8_400_000_000_000_000),
    ] as [(String, String, Int128)])
  func `all coins of a chain are believed, and not one unit more`(
    chain: String, genesis: String, supply: Int128
  ) async throws {
    for (funded, spent) in [(supply, 0), (supply + 1, 1), (supply + 1, 0), (0, 1)] as [(Int128, Int128)] {
      let synced = try SyncedStore()
      let wallet = try wallet(in: synced, chain: chain)
      var server = Esplora(genesis: genesis)
      server.use = { _ in Self.use(funded, spent, count: 0) }
      let report = try await synced.sync(tries: 1, transport: server).resync()
      let isPossible = 0...supply ~= funded - spent
      #expect(try synced.wallet(wallet.id).balance == (isPossible ? String(funded - spent) : ""))
      #expect(report.isComplete == isPossible, "\(report.wallets[0].told)")
      guard !isPossible else { continue }
      #expect(report.wallets[0].told.joined().contains("an impossible balance"))
    }
  }

  @Test func `a transaction of more coins than there are`() async throws {
    var server = Esplora()
    server.use = { _ in Self.use(7, 0, count: 1) }
    server.history = { Self.transaction(Self.id("1"), to: [Self.coin($0, "2100000000000001")]) }
    #expect(try await problem(server).contains("value is no amount"))
    server.history = {
      Self.transaction(Self.id("1"), to: [Self.coin($0, "2100000000000000"), Self.coin($0, "1")])
    }
    #expect(try await problem(server).contains("a transaction of more coins than there are"))
    server.history = {
      Self.transaction(Self.id("1"), to: [Self.coin($0, "2100000000000000")], fee: "1")
    }
    #expect(try await problem(server).contains("a transaction of more coins than there are"))
    let node = CoreStub(tip: "100", places: [0], amount: "21000000.00000001")
    #expect(try await problem(node, kind: "bitcoin-rpc").contains("value is no amount"))
    let rich = CoreStub(tip: "100", balance: "21000000.00000001")
    #expect(try await problem(rich, kind: "bitcoin-rpc").contains("trusted is no amount"))
    let twice = CoreStub(tip: "100", balance: "10500000.00000001")
    #expect(try await problem(twice, kind: "bitcoin-rpc").contains("an impossible balance"))
  }

  @Test func `a server that calls every address used is followed for a step`() async throws {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, gap: 20)
    var server = Esplora()
    server.use = { _ in Self.use(1, 0, count: 1) }
    server.history = { address in
      let digits = address.utf8.map { String($0, radix: 16) }.joined()
      return Self.transaction(String((digits + Self.id("0")).suffix(64)), to: [Self.coin(address, "1")])
    }
    let report = try await synced.sync(tries: 1, transport: server).resync()
    let step = 4096 + 20
    let asked = server.asked.entries.filter { $0.hasPrefix("/address/") && !$0.hasSuffix("/txs") }
    #expect(asked.count == step)
    #expect(try synced.wallet(wallet.id).keychains.map(\.lastUsed) == [UInt32(step - 1)])
    #expect(report.wallets[0].told.joined().contains("4096 new addresses were searched"))
  }

  @Test(arguments: [false, true])
  func `a count moves no index, but a transaction that pays to it does`(shows: Bool) async throws {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, gap: 2)
    var server = Esplora()
    let first = Journal<String>()
    server.use = { Self.use(1, 0, count: first.note($0) < 6 ? 1 : 0) }
    // If it does not list payments to the requested address, it lists one to another.
    server.history = { address in
      let paid = shows ? address : "bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx"
      return Self.transaction(Self.id("1"), to: [Self.coin(paid, "1")])
    }
    let report = try await synced.sync(tries: 1, transport: server).resync()
    #expect(report.wallets[0].state == .fresh, "\(report.wallets[0].told)")
    #expect(try synced.wallet(wallet.id).keychains.map(\.lastUsed) == (shows ? [5] : []))
  }

  @Test func `a node's wallet that has coins everywhere is followed for a step`() async throws {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, kind: "bitcoin-rpc", gap: 2)
    // Each index is within reach of the previous one.
    let node = CoreStub(tip: "100", places: [900, 1800, 2700, 3600, 4097, 4098, 5000, 5900])
    let report = try await synced.sync(tries: 1, transport: node).resync()
    #expect(try synced.wallet(wallet.id).keychains.map(\.lastUsed) == [4097])
    #expect(report.wallets[0].told.joined().contains("4096 new addresses were searched"))
  }
}
