import FuekiSync
import FuekiWallet
import Testing

/// Which of a wallet's sources is asked first: those of this machine's configuration, or those that came with it.
struct SourceLadderTests {
  private let scripted = ScriptedSync()

  @Test(arguments: [0: ["own", "archived"], 1: ["archived", "own"]] as [Int32: [String]])
  func `of one priority the configuration's come first`(priority: Int32, order: [String]) async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "archived")
    let asked = Journal<String>()
    func source(_ name: String) -> Scripted {
      Scripted { _, _ throws(SyncError) in
        asked.note(name)
        throw .malformed(what: "x")
      }
    }
    let own = ConfiguredEndpoint(
      kind: "own", chain: wallet.chainID, url: "https://own.test", priority: priority)
    let sources = ["own": source("own"), "archived": source("archived")]
    _ = try await scripted.sync(synced, sources, endpoints: [own]).resync()
    #expect(asked.entries == order)
  }

  @Test func `where both name a server, the configuration says when it is asked, and once`() async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a", "b")
    let asked = Journal<String>()
    let sources = ["a", "b"].map { name in
      (
        name,
        Scripted { _, _ throws(SyncError) in
          asked.note(name)
          throw .malformed(what: "x")
        }
      )
    }
    let same = ConfiguredEndpoint(
      kind: "a", chain: wallet.chainID, url: wallet.endpoints[0].url, priority: 9)
    _ = try await scripted.sync(
      synced, Dictionary(uniqueKeysWithValues: sources), endpoints: [same]
    ).resync()
    #expect(asked.entries == ["b", "a"])
  }
}
