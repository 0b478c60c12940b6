import FuekiSync
import FuekiWallet
import TestSupport
import Testing

/// The Esplora source against real blocks and transactions, served by the tests' front.
@Suite(.serialized, .enabled(if: LitecoinNode.isInstalled, "there is no litecoind on this machine"))
struct EsploraNodeTests {
  private func source(_ url: String) -> EsploraSource {
    EsploraSource(ServerClient(transport: CurlTransport()), url: url)
  }

  private func query(_ wallet: Wallet, from height: UInt64 = 0, open: [Transaction] = []) -> WalletQuery {
    WalletQuery(wallet: wallet, assets: [], startHeight: height, open: open)
  }

  @Test func `a wallet that is 200 blocks old has the node's balance and history`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      for index in 0..<3 { _ = try await node.pay(person.address(UInt32(index)), "1.\(index)0000001") }
      try await node.mine(1)
      let backedUp = try await node.height

      for index in 0..<10 as Range<UInt32> {
        _ = try await node.pay(person.address(5 + index), "0.1000\(1000 + index)")
        try await node.mine(10)
        _ = try await person.pay(node.miner, "0.05", change: index)
        try await node.mine(10)
      }
      // An address with enough payments for several pages of history.
      for _ in 0..<6 { _ = try await node.pay(person.address(7), "0.00100000") }
      try await node.mine(1)
      // A payment to the wallet itself, and an unconfirmed one.
      _ = try await person.pay(person.address(16), "0.234", change: 10)
      _ = try await node.pay(person.address(17), "0.7")
      try #require(await node.height == backedUp + 201)

      try await EsploraFront.run(over: node, pageLength: 3) { url in
        let start = UInt64(backedUp - 6)
        let findings = try await source(url).findings(for: query(person.wallet(), from: start))
        #expect(findings.tip.height == UInt64(backedUp + 201))
        #expect(PackedText.text(findings.tip.hash) == (try await node.blockHash(at: backedUp + 201)))
        #expect(findings.partial == nil && findings.warnings.isEmpty)
        #expect(findings.keychains.map(\.name) == ["external", "internal"])
        #expect(findings.keychains.map(\.lastUsed) == [17, 10])
        #expect(try person.history(findings) == (try await person.history(from: start)))

        // With the complete history, the balance is its sum.
        let whole = try await source(url).findings(for: query(person.wallet()))
        let history = try person.history(whole)
        #expect(history == (try await person.history()))
        let sum = Amount.sum(history.values.compactMap { Amount($0.net) })
        #expect(whole.balance == sum.canonicalText)
        #expect(findings.balance == whole.balance)

        // The node's count of unspent outputs excludes unconfirmed transactions.
        try await node.mine(1)
        let mined = try await source(url).findings(for: query(person.wallet(), from: start))
        #expect(mined.balance == (try await person.unspent()))
      }
    }
  }

  @Test func `transactions of three blocks that lost are found elsewhere, wait, or are gone`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      let lost = try await LostBlocks(on: node, of: person)
      try await EsploraFront.run(over: node) { url in
        let before = try await source(url).findings(for: query(person.wallet()))
        let open = try await lost.lose(before)
        let after = try await source(url).findings(
          for: query(person.wallet(), from: lost.start, open: open))
        try await lost.expectLoss(of: before, in: after, of: person)
      }
    }
  }

  @Test func `coins beyond the gap are found where the wallet knows how far it went`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      for index in [0, 1, 2, 5, 45] as [UInt32] { _ = try await node.pay(person.address(index), "0.5") }
      try await node.mine(1)
      try await EsploraFront.run(over: node) { url in
        let known = try await source(url).findings(for: query(person.wallet(lastRevealed: (45, 0))))
        #expect(known.balance == "250000000")
        #expect(known.balance == (try await person.unspent()))
        #expect(known.transactions.count == 5)
        #expect(known.keychains.map(\.lastUsed) == [45])

        let unknown = try await source(url).findings(for: query(person.wallet()))
        #expect(unknown.balance == "200000000")
        #expect(unknown.keychains.map(\.lastUsed) == [5])
        // The stored transactions reveal that the balance is incomplete.
        let lost = known.transactions.map(\.transaction)
        let warned = try await source(url).findings(for: query(person.wallet(), open: lost))
        #expect(warned.warnings.count == 1)
        #expect(warned.warnings.first?.isBeyondGap == true)
        #expect(warned.transactions.count == 5)

        let wide = try await source(url).findings(for: query(person.wallet(gapLimit: 50)))
        #expect(wide.balance == known.balance)
      }
    }
  }

  @Test func `single addresses are asked about, and other chains refused`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      _ = try await node.pay(person.address(3), "0.125")
      try await node.mine(1)
      try await EsploraFront.run(over: node) { url in
        var wallet = person.wallet()
        wallet.descriptors = []
        wallet.address = PackedText.pack(try person.address(3))
        wallet.genesisHash = PackedText.pack(try await node.blockHash(at: 0))
        let findings = try await source(url).findings(for: query(wallet))
        #expect(findings.balance == "12500000")
        #expect(findings.transactions.count == 1)
        #expect(findings.keychains.isEmpty)

        // The key of the same index, for a wallet without an address.
        wallet.address = PackedText.pack("")
        wallet.descriptors = ["wpkh(\(TestKeys.publicKey)/0/3)"]
        #expect(try await source(url).findings(for: query(wallet)).balance == "12500000")

        wallet.genesisHash = PackedText.pack(String(repeating: "0", count: 64))
        await #expect(throws: SyncError.self) { try await source(url).findings(for: query(wallet)) }
        wallet.genesisHash = PackedText.pack("")
        wallet.chainID = "bitcoin-regtest"
        await #expect(throws: SyncError.wrongChain(expected: "bitcoin-regtest", found: "litecoin-regtest")) {
          try await source(url).findings(for: query(wallet))
        }
      }
    }
  }

  @Test func `addresses are those that the node derives`() async throws {
    try await LitecoinNode.run { node in
      let key = TestKeys.publicKey
      let network = try #require(BitcoinNetwork.named("litecoin-regtest"))
      let other = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
      for expression in [
        "wpkh(\(key)/0/*)", "pkh(\(key)/44/1/0/1/*)", "sh(wpkh(\(key)/3/*))",
        "wsh(sortedmulti(1,\(key)/0/*,\(key)/1/*))", "sh(wsh(multi(2,\(key)/5/*,\(other))))",
        "sh(multi(1,\(key)/7/*,\(other)))", "wpkh([d34db33f/84h/1h/0h]\(key)/0/*)",
      ] {
        let descriptor = try Descriptor(parsing: expression)
        let derived = try await node.call("deriveaddresses", [.string("\(descriptor)"), [0, 30]])
        let own = try (0...30).map { try descriptor.address(at: $0, network: network) }
        #expect(derived.children.compactMap(\.string) == own, "\(expression)")
      }
    }
  }
}
