import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import Testing

/// Resyncs from a real py-evm chain into a real store, compared with the node's balances and history.
@Suite(.serialized, .enabled(if: EVMTestNode.python != nil, EVMTestNode.requirement))
struct EthereumChainTests {
  private static let mine = "0x1111111111111111111111111111111111111111"

  @Test func `a store that is 200 blocks old is brought up to date, and only with what is new`() async throws
  {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      let own = node.accounts[1]
      let wallet = try synced.addWallet(address: own, urls: [node.url])
      for amount in 1...5 { try await node.send(UInt64(amount) * 1000, from: 0, to: own) }
      try await node.send(77, from: 1, to: Self.mine)
      let sync = synced.sync()
      let first = try await sync.resync()
      #expect(first.isComplete && first.wallets[0].counts.added == 6, "\(first.wallets)")

      try await node.mine(90)
      try await node.send(5, from: 1, to: Self.mine)
      try await node.mine(60)
      try await node.send(123_456_789, from: 2, to: own)
      try await node.mine(48)
      let before = try await node.requests()
      let second = try await synced.sync().resync()
      let after = try await node.requests()
      #expect(second.isComplete && second.wallets[0].counts.added == 2, "\(second.wallets)")
      #expect(second.wallets[0].counts.updated == 0 && second.wallets[0].counts.dropped == 0)

      let expected1 = try await node.balance(own)
      #expect(try synced.wallet(wallet.id).balance == expected1)
      #expect(try synced.wallet(wallet.id).nonce == 2)
      let expected2 = try await node.height
      #expect(try synced.wallet(wallet.id).lastSynced.height == expected2)
      let expected3 = try await node.history(of: own)
      #expect(try synced.coinHashes(wallet.id) == expected3)
      // The blocks between were not requested one by one.
      let blocks = after["eth_getBlockByNumber", default: 0] - before["eth_getBlockByNumber", default: 0]
      #expect(blocks < 60, "\(blocks)")
    }
  }

  @Test func `fees, receipts, times and failures are the chain's`() async throws {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      let own = node.accounts[1]
      let wallet = try synced.addWallet(address: own, urls: [node.url])
      let hash = try await node.send(77, from: 1, to: Self.mine)
      let token = try await node.deployToken()
      // More tokens than the account has, so that the transaction is mined without effect.
      let failing = try await node.send(tokens: 5, of: token, from: 1, to: Self.mine)
      _ = try await synced.sync().resync()
      let transactions = try synced.transactions(wallet.id)
      let sent = try #require(transactions.first { $0.hash == PackedText.pack(hash) })
      #expect(sent.status == "confirmed" && sent.amount == "77" && sent.fee == "\(21000 * 1_000_000_000)")
      #expect(sent.nonce == 0 && sent.hasTimestamp && sent.blockNumber == 1)
      #expect(PackedText.text(sent.from) == own && sent.walletID == wallet.id)
      let receipt = try #require(try synced.store.receipts.fetch(.of(transaction: sent.recordID)).first)
      #expect(receipt.gasUsed == "21000" && receipt.success)
      let failed = try #require(transactions.first { $0.hash == PackedText.pack(failing) })
      #expect(failed.status == "failed" && failed.hasFee)
      #expect(try synced.store.receipts.fetch(.of(transaction: failed.recordID)).first?.success == false)
    }
  }

  @Test func `a reorganisation of three blocks loses no record and believes none that is gone`() async throws
  {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      let own = node.accounts[1]
      let wallet = try synced.addWallet(address: own, urls: [node.url])
      try await node.send(1, from: 0, to: own)
      let snapshot = try await node.call("evm_snapshot")
      let lost = try await node.send(1000, from: 0, to: own)
      let moved = try await node.send(2000, from: 2, to: own)
      try await node.mine(1)
      _ = try await synced.sync().resync()
      #expect(try synced.transactions(wallet.id).filter { $0.status == "confirmed" }.count == 3)

      _ = try await node.call("evm_revert", [.string(try #require(snapshot.string))])
      try await node.mine(1)
      // The same transaction in another block, and a new one in place of the first.
      let again = try await node.send(2000, from: 2, to: own)
      #expect(again == moved)
      let other = try await node.send(3000, from: 0, to: own)
      try await node.mine(4)
      let report = try await synced.sync().resync()
      #expect(report.isComplete, "\(report.wallets)")
      #expect(report.wallets[0].counts.added == 1 && report.wallets[0].counts.dropped == 1)

      let byHash = Dictionary(
        uniqueKeysWithValues: try synced.transactions(wallet.id).map { ($0.hash, $0) })
      #expect(byHash.count == 4)
      #expect(byHash[PackedText.pack(lost)]?.status == "dropped")
      #expect(byHash[PackedText.pack(lost)]?.amount == "1000")
      #expect(byHash[PackedText.pack(lost)]?.hasBlockNumber == false)
      #expect(byHash[PackedText.pack(moved)]?.status == "confirmed")
      #expect(byHash[PackedText.pack(moved)]?.blockNumber == 3)
      #expect(byHash[PackedText.pack(other)]?.status == "confirmed")
      let expected4 = try await node.balance(own)
      #expect(try synced.wallet(wallet.id).balance == expected4)
      let expected5 = try await node.history(of: own)
      #expect(try synced.coinHashes(wallet.id) == expected5)
    }
  }

  @Test func `a token transfer that came after the backup is found, with the token's name and balance`()
    async throws
  {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      let own = node.accounts[1]
      let wallet = try synced.addWallet(address: own, urls: [node.url])
      let token = try await node.deployToken()
      _ = try await synced.sync().resync()
      #expect(try synced.store.assets.fetch(.of(wallet: wallet.recordID)).isEmpty)

      try await node.mine(20)
      let hash = try await node.send(tokens: 12_345, of: token, from: 0, to: own)
      try await node.send(tokens: 45, of: token, from: 1, to: Self.mine)
      let report = try await synced.sync().resync()
      // Two transfers, and the transaction that paid for the second.
      #expect(report.isComplete && report.wallets[0].counts.added == 3, "\(report.wallets)")
      let asset = try #require(try synced.store.assets.fetch(.of(wallet: wallet.recordID)).first)
      #expect(asset.symbol == "FTT" && asset.name == "Fueki Test Token" && asset.decimals == 6)
      let held = try await node.tokens(of: token, at: own)
      #expect(asset.balance == "12300" && held == "12300")
      let received = try #require(
        try synced.transactions(wallet.id).first { $0.hash == PackedText.pack(hash) })
      #expect(received.amount == "12345" && PackedText.text(received.to) == own)
      #expect(received.metadata == #"{"token":"\#(token.lowercased())","logIndex":0}"#)
      #expect(try synced.store.receipts.fetch(.of(transaction: received.recordID)).first?.logs.count == 1)

      // A second resync adds nothing.
      let again = try await synced.sync(start: .height(0)).resync()
      #expect(again.wallets[0].counts.added == 0 && again.wallets[0].counts.updated == 0, "\(again.wallets)")
      #expect(try synced.transactions(wallet.id).count == 3)
    }
  }

  @Test func `records that another program made are known again by their hash`() async throws {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      let own = node.accounts[1]
      let wallet = try synced.addWallet(address: own, urls: [node.url])
      let token = try await node.deployToken()
      try await node.send(tokens: 1000, of: token, from: 0, to: own)
      let coin = try await node.send(77, from: 1, to: Self.mine)
      let transfer = try await node.send(tokens: 45, of: token, from: 1, to: Self.mine)
      for (id, hash, amount) in [("a", coin, "77"), ("b", transfer, "45")] {
        var record = Transaction()
        record.id = PackedText.pack(id)
        record.walletID = wallet.id
        record.hash = PackedText.pack(hash)
        record.from = PackedText.pack(own.lowercased())
        record.to = PackedText.pack(Self.mine)
        record.amount = amount
        record.status = "pending"
        record.metadata = #"{"note":"Rent"}"#
        try synced.store.transactions.load([record])
      }
      let report = try await synced.sync().resync()
      #expect(report.wallets[0].counts.added == 1, "\(report.wallets)")
      for id in ["a", "b"] {
        let record = try #require(try synced.store.transactions.find(RecordID(id)))
        #expect(record.status == "confirmed" && record.hasBlockNumber && record.hasFee && record.hasTimestamp)
        #expect(record.metadata == #"{"note":"Rent"}"#)
      }
    }
  }

  @Test func `one dead endpoint among five wallets stops none of the others`() async throws {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      for place in 0..<5 {
        try synced.addWallet(
          "w\(place)", address: node.accounts[place + 1],
          urls: [place == 2 ? "http://127.0.0.1:9" : node.url])
        try await node.send(UInt64(place + 1), from: 0, to: node.accounts[place + 1])
      }
      let report = try await synced.sync().resync()
      #expect(report.wallets.map(\.isComplete) == [true, true, false, true, true])
      #expect(report.wallets[2].state == .failed)
      #expect(report.wallets[2].told[0].hasPrefix("ethereum-rpc at http://127.0.0.1:9: no connection"))
      for (place, wallet) in try synced.store.wallets.fetch().enumerated() where place != 2 {
        let balance = try await node.balance(node.accounts[place + 1])
        #expect(wallet.balance == balance)
      }
      #expect(!report.isComplete)
    }
  }

  @Test func `the next endpoint answers where the first does not, and the person is told`() async throws {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      try synced.addWallet(address: node.accounts[1], urls: ["http://127.0.0.1:9", node.url])
      let report = try await synced.sync().resync()
      #expect(report.isComplete)
      #expect(report.wallets[0].source == SourcePlace(kind: "ethereum-rpc", server: node.url))
      #expect(report.wallets[0].warnings.count == 1)
    }
  }

  @Test func `limits, broken connections and 5xx are outlasted`() async throws {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      let wallet = try synced.addWallet(address: node.accounts[1], urls: [node.url])
      try await node.send(7, from: 0, to: node.accounts[1])
      try await node.fault("rate", times: 2, seconds: 1)
      try await node.fault("drop", method: "eth_getLogs")
      try await node.fault("status", times: 2, method: "eth_getBalance", status: 503)
      let report = try await synced.sync(tries: 5).resync()
      #expect(report.isComplete, "\(report.wallets)")
      let expected6 = try await node.balance(node.accounts[1])
      #expect(try synced.wallet(wallet.id).balance == expected6)
    }
  }

  @Test func `a chain that is not the wallet's is not believed`() async throws {
    try await EVMTestNode.run(chain: 5) { node in
      let synced = try SyncedStore()
      let wallet = try synced.addWallet(address: node.accounts[1], urls: [node.url])
      let report = try await synced.sync().resync()
      #expect(report.wallets[0].told[0].contains("it serves another chain: 5, but the wallet is on 1337"))
      #expect(try synced.wallet(wallet.id).hasBalance == false)
    }
  }

  @Test func `of a wallet that had something, nothing found is no success`() async throws {
    try await EVMTestNode.run { node in
      let synced = try SyncedStore()
      var wallet = try synced.addWallet(address: Self.mine, urls: [node.url])
      wallet.balance = "5000"
      try synced.store.wallets.load([wallet])
      let report = try await synced.sync().resync()
      #expect(!report.isComplete)
      #expect(report.wallets[0].told[0].contains("finds nothing, but 5000 was recorded before"))
      #expect(report.wallets[0].told[0].contains("--from 0"))
      #expect(try synced.wallet(wallet.id).balance == "5000")
      #expect(try synced.wallet(wallet.id).hasLastSynced == false)
    }
  }
}
