import FuekiSync
import FuekiWallet
import Testing

/// The order of a wallet's sources, between this machine's configuration and the wallet's own endpoints.
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

  @Test(arguments: [
    (EndpointConsent.none, ["own"]), (.all, ["archived", "own"]),
    (.places(["https://archived.test"]), ["archived", "own"]),
    (.places(["https://archived.test:8443", "http://archived.test", "https://own.test"]), ["own"]),
  ])
  func `a server that only the wallet names is asked with permission`(
    consent: EndpointConsent, order: [String]
  ) async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "archived")
    let asked = Journal<String>()
    let sources = ["own", "archived"].map { name in
      (
        name,
        Scripted { _, _ throws(SyncError) in
          asked.note(name)
          throw .malformed(what: "x")
        }
      )
    }
    let own = ConfiguredEndpoint(
      kind: "own", chain: wallet.chainID, url: "https://own.test", priority: 1)
    _ = try await scripted.sync(
      synced, Dictionary(uniqueKeysWithValues: sources), endpoints: [own], consent: consent
    ).resync()
    #expect(asked.entries == order)
  }

  @Test func `a wallet whose own endpoints alone could be asked says whose they are`() async throws {
    let synced = try SyncedStore()
    _ = try scripted.wallet(in: synced, kinds: "a", "b")
    let source = Scripted { _, _ throws(SyncError) in throw .malformed(what: "asked") }
    let sync = scripted.sync(synced, ["a": source, "b": source], consent: .places(["https://c.test"]))
    let report = try await sync.resync()
    #expect(source.asked.entries.isEmpty)
    #expect(
      report.wallets[0].problems == [.failed(.notAllowed(["https://a.test", "https://b.test"]))])
    #expect(try !ChainSync.hasSource(synced.ledger))
  }

  @Test(arguments: [
    ("https://a.test/v3/key", "https://a.test", true), ("HTTPS://A.test:443/x", "https://a.test:443", true),
    ("http://10.0.0.1:8545", "http://10.0.0.1:8545", true), ("http://[::1]:8545/", "http://[::1]:8545", true),
    ("http://a.test/", "https://a.test", false), ("https://a.test:8443", "https://a.test", false),
    ("https://b.a.test", "https://a.test", false), ("https://a.test.b", "https://a.test", false),
    // A URL that can be parsed in two ways matches no server.
    ("https://me@a.test/", "https://a.test", false), ("https://b.test\\@a.test/", "https://a.test", false),
    ("https://a.test\\.b.test/", "https://a.test", false), ("https://a%2etest/", "https://a.test", false),
    ("https:/a.test/", "https://a.test", false), ("ftp://a.test/", "https://a.test", false),
  ])
  func `an endpoint is the server that was allowed, or it is not asked`(
    url: String, place: String, isAllowed: Bool
  ) throws {
    let synced = try SyncedStore()
    try synced.addWallet(address: "0x1111111111111111111111111111111111111111", urls: [url])
    let allowed = try #require(EndpointConsent.place(named: place))
    let found = try ChainSync.walletEndpoints(synced.ledger, consent: .places([allowed]))
    #expect(found.map(\.isAllowed) == [isAllowed])
    #expect(try ChainSync.hasSource(synced.ledger, consent: .places([allowed])) == isAllowed)
  }

  @Test(
    arguments: [
      ("node.test", "https://node.test"), ("https://Node.test:8545/", "https://node.test:8545"),
      ("http://127.0.0.1:8332", "http://127.0.0.1:8332"), ("/home/me/ark/", "/home/me/ark"),
      ("file:///home/me/ark", "/home/me/ark"), ("https://node.test/v3/key", nil),
      ("https://me@node.test", nil),
      ("ftp://node.test", nil), ("https://", nil), ("", nil), ("a b", nil),
    ] as [(String, String?)])
  func `a server or a directory is allowed by its name`(text: String, place: String?) {
    #expect(EndpointConsent.place(named: text) == place)
  }
}
