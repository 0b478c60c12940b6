import FuekiSync
import FuekiWallet
import TestSupport
import Testing

/// The Bitcoin Core source against litecoind, with legacy wallets and `importmulti`.
@Suite(.serialized, .enabled(if: LitecoinNode.isInstalled, "there is no litecoind on this machine"))
struct CoreNodeTests {
  private func findings(
    _ node: LitecoinNode, _ wallet: Wallet, from height: UInt64 = 0, open: [Transaction] = []
  ) async throws -> WalletFindings {
    let source = BitcoinCoreSource(node.client, url: node.url + "/", credential: try LitecoinNode.credential)
    return try await source.findings(
      for: WalletQuery(wallet: wallet, assets: [], startHeight: height, open: open))
  }

  private func loadedWallets(_ node: LitecoinNode) async throws -> [String] {
    try await node.call("listwallets").children.compactMap(\.string).sorted()
  }

  @Test func `a wallet that is 200 blocks old has the node's balance and history`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      for index in 0..<3 { _ = try await node.pay(person.address(UInt32(index)), "1.\(index)0000001") }
      try await node.mine(1)
      let backedUp = try await node.height
      for index in 0..<5 as Range<UInt32> {
        _ = try await node.pay(person.address(5 + index), "0.1000\(1000 + index)")
        try await node.mine(20)
        _ = try await person.pay(node.miner, "0.05", change: index)
        try await node.mine(20)
      }
      // A transaction unconfirmed when the node's wallet is created, and later ones.
      _ = try await node.pay(person.address(17), "0.7")
      let first = try await findings(node, person.wallet())
      _ = try await person.pay(node.miner, "0.33", change: 5)
      let start = UInt64(backedUp - 6)
      let later = try await findings(node, person.wallet(), from: start)

      #expect(first.balance != later.balance)
      for found in [first, later] { #expect(found.partial == nil && found.warnings.isEmpty) }
      #expect(later.tip.height == UInt64(backedUp + 200))
      #expect(later.keychains.map(\.name) == ["external", "internal"])
      #expect(later.keychains.map(\.lastUsed) == [17, 5])
      #expect(try person.history(later) == (try await person.history(from: start)))

      let whole = try await findings(node, person.wallet())
      let history = try person.history(whole)
      #expect(history == (try await person.history()))
      #expect(whole.balance == Amount.sum(history.values.compactMap { Amount($0.net) }).canonicalText)
      #expect(whole.balance == later.balance)
      try await node.mine(1)
      #expect(try await findings(node, person.wallet()).balance == (try await person.unspent()))

      // The other wallets are still loaded, and this program's is unloaded.
      #expect(try await loadedWallets(node) == ["miner", TestPerson.walletName])
    }
  }

  @Test func `both sources say the same`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      _ = try await node.pay(person.address(0), "1.5")
      _ = try await node.pay(person.address(21), "0.5")
      try await node.mine(1)
      _ = try await person.pay(node.miner, "0.25", change: 0)
      _ = try await person.pay(person.address(1), "0.11", change: 1)
      try await node.mine(1)
      _ = try await node.pay(person.changeAddress(3), "0.01")
      try await EsploraFront.run(over: node) { url in
        for revealed in [nil, (40, 2)] as [(UInt32, UInt32)?] {
          let wallet = person.wallet(lastRevealed: revealed)
          let a = try await EsploraSource(node.client, url: url)
            .findings(for: WalletQuery(wallet: wallet, assets: [], startHeight: 0, open: []))
          let b = try await findings(node, wallet)
          #expect(a.balance == b.balance)
          #expect(a.tip == b.tip)
          #expect(a.keychains == b.keychains)
          #expect(try person.history(a) == person.history(b))
          // A node does not report the sender. All else is equal.
          let comparable = { (findings: WalletFindings) in
            findings.transactions.map(\.transaction).map { transaction in
              var transaction = transaction
              if !transaction.hasFee { transaction.from = PackedText.pack("") }
              return transaction
            }
          }
          #expect(comparable(a) == comparable(b))
        }
      }
    }
  }

  @Test func `what was paid beyond the gap long ago comes with the index that leads there`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      _ = try await node.pay(person.address(0), "1")
      let far = try await node.pay(person.address(24), "0.5")
      try await node.mine(30)
      try await EsploraFront.run(over: node) { url in
        let esplora = { (wallet: Wallet, height: UInt64) in
          try await EsploraSource(node.client, url: url)
            .findings(for: WalletQuery(wallet: wallet, assets: [], startHeight: height, open: []))
        }
        let before = [try await esplora(person.wallet(), 0), try await findings(node, person.wallet())]
        #expect(before.map(\.balance) == ["100000000", "100000000"])
        let near = try await node.pay(person.address(10), "0.25")
        try await node.mine(1)
        for (known, isEsplora) in zip(before, [true, false]) {
          var wallet = person.wallet()
          wallet.keychains = known.keychains
          let start = known.tip.height - 12
          let after =
            isEsplora ? try await esplora(wallet, start) : try await findings(node, wallet, from: start)
          #expect(after.balance == "175000000" && after.partial == nil)
          #expect(Set(try person.history(after).keys) == [far, near], "Esplora: \(isEsplora)")
        }
      }
    }
  }

  @Test func `transactions of three blocks that lost are found elsewhere, wait, or are gone`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      let lost = try await LostBlocks(on: node, of: person)
      let before = try await findings(node, person.wallet())
      let open = try await lost.lose(before)
      let after = try await findings(node, person.wallet(), from: lost.start, open: open)
      try await lost.expectLoss(of: before, in: after, of: person)
    }
  }

  @Test func `coins beyond the gap, and before a birthday that is too late`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      for index in [0, 5, 45] as [UInt32] { _ = try await node.pay(person.address(index), "0.5") }
      try await node.mine(1)
      #expect(try await findings(node, person.wallet()).balance == "100000000")
      let known = try await findings(node, person.wallet(lastRevealed: (45, 0)))
      #expect(known.balance == "150000000")
      #expect(known.keychains.map(\.lastUsed) == [45])
      // From now on the node's wallet knows more than the wallet itself.
      #expect(try await findings(node, person.wallet()).balance == "150000000")
      // A wallet that is new to the node does not benefit.
      var other = person.wallet()
      other.descriptors.removeLast()
      let lost = try await findings(node, other, open: known.transactions.map(\.transaction))
      #expect(lost.balance == "100000000" && lost.transactions.count == 3)
      #expect(lost.warnings.first?.isBeyondGap == true)

      // Long after all of the coins. A different wallet makes the node rescan the chain.
      let now = known.tip.time / 1_000_000
      try await node.call("setmocktime", [.number(now + 10 * 86_400)])
      try await node.mine(12)
      var late = person.wallet(lastRevealed: (45, 45))
      late.descriptors.reverse()
      late.birthday.height = known.tip.height + 1
      late.birthday.time = (now + 5 * 86_400) * 1_000_000
      let found = try await findings(node, late)
      #expect(found.balance == "150000000" && found.transactions.count == 3)
      #expect(found.warnings.first == .olderThanBirthday)
    }
  }

  @Test func `single addresses are watched, and other chains and wrong passwords refused`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      _ = try await node.pay(person.address(3), "0.125")
      try await node.mine(1)
      var wallet = person.wallet()
      wallet.descriptors = []
      wallet.address = PackedText.pack(try person.address(3))
      #expect(try await findings(node, wallet).balance == "12500000")
      wallet.chainID = "bitcoin-regtest"
      wallet.address = PackedText.pack("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080")
      await #expect(throws: SyncError.wrongChain(expected: "bitcoin-regtest", found: "litecoin-regtest")) {
        try await findings(node, wallet)
      }
      let stranger = BitcoinCoreSource(node.client, url: node.url)
      await #expect(throws: SyncError.refused(status: 401)) {
        try await stranger.findings(
          for: WalletQuery(wallet: person.wallet(), assets: [], startHeight: 0, open: []))
      }
    }
  }
}
