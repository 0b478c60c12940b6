import FuekiCrypto
import FuekiSync
import FuekiWallet
import TestSupport
import Testing

/// Comparison with BDK on the same chain through the same front.
@Suite(
  .serialized, .enabled(if: LitecoinNode.isInstalled, "there is no litecoind on this machine"),
  .enabled(if: InstalledProgram.python(with: "bdkpython") != nil, "there is no bdkpython on this machine"))
struct BDKComparisonTests {
  @Test func `BDK derives the same scripts and finds the same balance and history`() async throws {
    try await LitecoinNode.run { node in
      let person = try await TestPerson(on: node)
      for index in [0, 1, 2, 5, 24] as [UInt32] { _ = try await node.pay(person.address(index), "0.5") }
      try await node.mine(1)
      _ = try await person.pay(node.miner, "0.75", change: 3)
      try await node.mine(1)
      _ = try await node.pay(person.address(55), "0.125")
      _ = try await person.pay(person.address(7), "0.6", change: 4)
      let genesis = try await node.blockHash(at: 0)

      try await EsploraFront.run(over: node) { url in
        for gap in [20, 50] as [UInt32] {
          let findings = try await EsploraSource(node.client, url: url).findings(
            for: WalletQuery(wallet: person.wallet(gapLimit: gap), assets: [], startHeight: 0, open: []))
          let run = try BuiltBinary.run(
            program: try #require(InstalledProgram.python(with: "bdkpython")),
            ["\(SourceTree.path)/Tests/Nodes/bdk_scan.py", url, genesis] + TestKeys.descriptors
              + [String(gap)])
          let bdk = try JSONDocument(run.output, limit: run.output.count).root
          #expect(run.status == 0, "\(run.errors)")

          #expect(bdk.member("balance")?.number == findings.balance)
          #expect(bdk.member("height")?.number == String(findings.tip.height))
          let last = findings.keychains.map { bdk.member("last")?.member($0.name)?.number }
          #expect(last == findings.keychains.map { Optional(String($0.lastUsed)) })
          #expect(findings.keychains.first?.lastUsed == (gap == 50 ? 55 : 24))
          var history: [String: String] = [:]
          for entry in try #require(bdk.member("history")).children { history[entry.name] = entry.number }
          #expect(history == (try person.history(findings).mapValues(\.net)))

          for (name, expression) in zip(["external", "internal"], TestKeys.descriptors) {
            let descriptor = try Descriptor(parsing: expression)
            let own = try (0..<60).map { Hex.encode(try descriptor.scriptPubKey(at: $0)) }
            #expect(bdk.member("scripts")?.member(name)?.children.compactMap(\.string) == own)
          }
        }
      }
    }
  }
}
