import FuekiSync
import FuekiWallet
import Testing

/// Response bodies that are too slow, too large or incomplete, requested by each kind of source.
@Suite struct SourceBodyTests {
  /// A kind of source, by its name in the configuration.
  enum Kind: String, CaseIterable {
    case ethereumRPC = "ethereum-rpc"
    case etherscan
    case esplora
    case bitcoinRPC = "bitcoin-rpc"
    case price

    /// Sends the source's queries.
    func ask(_ client: ServerClient, _ url: String) async throws(SyncError) {
      var wallet = Wallet()
      switch self {
      case .ethereumRPC, .etherscan:
        wallet.chainFamily = "evm"
        wallet.chainID = "1"
        wallet.address = PackedText.pack("0x1111111111111111111111111111111111111111")
      case .esplora, .bitcoinRPC, .price:
        wallet.chainFamily = "bitcoin"
        wallet.chainID = "bitcoin"
        wallet.address = PackedText.pack("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
      }
      let query = WalletQuery(wallet: wallet, assets: [], startHeight: 0, open: [])
      let connection = Connection(client, url: url)
      switch self {
      case .ethereumRPC: _ = try await EthereumRPC(connection).findings(for: query)
      case .etherscan: _ = try await AccountAPI(connection).findings(for: query)
      case .esplora: _ = try await EsploraSource(client, url: url).findings(for: query)
      case .bitcoinRPC: _ = try await BitcoinCoreSource(client, url: url).findings(for: query)
      case .price:
        _ = try await PriceSource(asset: "a", currency: "b", url: url, path: "a.b").answer(client)
      }
    }

    /// The source's maximum response size in bytes.
    var limit: Int { self == .price ? 1 << 20 : 16 << 20 }
  }

  private func failure(
    of kind: Kind, deadline: Duration = .seconds(120), tries: Int = 2, _ body: LoopbackServer.Answer.Body
  ) async throws -> SyncError? {
    try await LoopbackServer.run { _ in
      LoopbackServer.Answer(body: body)
    } test: { url in
      let pace = Pace(now: { 0 }, sleep: { _ in try Task.checkCancellation() }, chance: { 0 })
      let client = ServerClient(
        transport: CurlTransport(), pace: pace, tries: tries, deadline: deadline)
      do throws(SyncError) {
        try await kind.ask(client, url)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `a slow drip ends with the deadline of the whole exchange`(kind: Kind) async throws {
    // Each byte arrives well before the deadline, the last one never.
    let drip = LoopbackServer.Answer.Body.stream(
      announced: 1 << 20, sent: 1 << 20, burst: 1, pause: .milliseconds(20))
    let deadline = Duration.milliseconds(300)
    #expect(try await failure(of: kind, deadline: deadline, tries: 1, drip) == .transport(.deadline))
    // A server without any response is no different.
    let silence = LoopbackServer.Answer.Body.stream(announced: 8, sent: 8, burst: 1, pause: .seconds(600))
    #expect(try await failure(of: kind, deadline: deadline, tries: 1, silence) == .transport(.deadline))
  }

  @Test(arguments: Kind.allCases)
  func `a body that ends too early is no answer`(kind: Kind) async throws {
    for sent in [0, 10] {
      let cut = LoopbackServer.Answer.Body.stream(announced: 1000, sent: sent, burst: 10, pause: .zero)
      #expect(
        try await failure(of: kind, cut) == .transport(.unreachable(reason: "the connection broke off")))
    }
  }

  @Test(arguments: Kind.allCases)
  func `of a body of 64 MB no more is held than an answer may have`(kind: Kind) async throws {
    for announced in [64 << 20, nil] {
      let large = LoopbackServer.Answer.Body.stream(
        announced: announced, sent: 64 << 20, burst: 1 << 16, pause: .zero)
      #expect(try await failure(of: kind, large) == .transport(.tooLarge(limit: kind.limit)))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a body that is none of its API is named as that`(kind: Kind) async throws {
    for text in ["", "<html>", "[[[[", "\u{0}"] {
      switch try await failure(of: kind, .text(text)) {
      case .malformed, .notJSON: break
      default: Issue.record("\(kind) took \(text)")
      }
    }
  }
}
