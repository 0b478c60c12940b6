import FuekiSync
import Synchronization
import Testing

/// Requests of an app to its own server, alone and through a cache.
@Suite struct ServerEndpointTests {
  private struct Product: Codable, Equatable, Sendable {
    var name: String
    var price: Int
  }

  /// A server that returns one answer until the test sets another.
  private final class Shop: Transport {
    let requests = Journal<HTTPRequest>()
    private let answer: Mutex<(status: Int, body: String)>

    init(_ body: String, status: Int = 200) { answer = Mutex((status, body)) }

    func set(_ status: Int, _ body: String) { answer.withLock { $0 = (status, body) } }

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      requests.note(request)
      let (status, body) = answer.withLock { $0 }
      return HTTPResponse(status: status, body: Array(body.utf8))
    }

    var client: ServerClient { ServerClient(transport: self, tries: 1) }
  }

  private let tea = Product(name: "tea", price: 3)
  private static let json = #"{"name":"tea","price":3}"#

  @Test func `an answer is read as it is or from its envelope`() async throws {
    let bare = Shop(Self.json)
    #expect(try await bare.client.answer(ServerEndpoint<Product>.get("https://h/1")) == tea)
    let wrapped = Shop(#"{"data":\#(Self.json),"message":"ok","success":true}"#)
    #expect(try await wrapped.client.answer(ServerEndpoint<Product>.get("https://h/1", in: .data)) == tea)
    await #expect(throws: SyncError.self) {
      try await wrapped.client.answer(ServerEndpoint<Product>.get("https://h/1"))
    }
  }

  @Test func `each method is sent with its body`() async throws {
    let shop = Shop(Self.json)
    _ = try await shop.client.answer(ServerEndpoint<Product>.post("https://h/", tea))
    _ = try await shop.client.answer(ServerEndpoint<Product>.put("https://h/1", tea))
    try await shop.client.answer(ServerEndpoint<Void>.delete("https://h/1"))
    #expect(shop.requests.entries.map(\.method) == [.post, .put, .delete])
    #expect(shop.requests.entries.map { !$0.body.isEmpty } == [true, true, false])
    #expect(
      shop.requests.entries.map { $0.headers["Content-Type"] } == [
        "application/json", "application/json", nil,
      ])
    #expect(shop.requests.entries.allSatisfy { !$0.isRead })
  }

  @Test(arguments: [
    (404, "", SyncError.refused(status: 404)), (429, "", .rateLimited),
    (413, "", .tooMuch(what: "the request")),
    (200, "", .malformed(what: "JSON of another form than Product")),
    (200, "[]", .malformed(what: "JSON of another form than Product")),
    (200, "<html>", .malformed(what: "JSON of another form than Product")),
  ])
  func `a failure has its error`(status: Int, body: String, error: SyncError) async {
    let shop = Shop(body, status: status)
    await #expect(throws: error) {
      try await shop.client.answer(ServerEndpoint<Product>.get("https://h/1"))
    }
  }

  @Test func `a cache shows the known answer, then the server's`() async throws {
    let shop = Shop(Self.json)
    let cache = Cache(folder: nil)
    let endpoint = ServerEndpoint<Product>.get("https://h/1")
    #expect(try await cache.answer(endpoint, from: shop.client).value == tea)
    shop.set(200, #"{"name":"tea","price":4}"#)
    var prices: [Int] = []
    for try await answer in cache.answers(endpoint, from: shop.client) { prices.append(answer.value.price) }
    #expect(prices == [3, 4])
    shop.set(500, "")
    var last: Cached<Product>?
    for try await answer in cache.answers(endpoint, from: shop.client) { last = answer }
    #expect(last?.value.price == 4 && last?.failure as? SyncError == .refused(status: 500))
  }

  @Test func `what changes the server always goes there`() async throws {
    let shop = Shop(Self.json)
    let cache = Cache(folder: nil)
    let endpoint = try ServerEndpoint<Product>.put("https://h/1", tea)
    for _ in 0..<2 { #expect(try await cache.answer(endpoint, from: shop.client).origin == .network) }
    for try await answer in cache.answers(endpoint, from: shop.client) { #expect(answer.origin == .network) }
    #expect(shop.requests.entries.count == 3)
    await #expect(throws: SyncFailure.nothingKnown) {
      try await cache.answer(ServerEndpoint<Product>.get("https://h/1"), from: shop.client, .cacheOnly)
    }
  }
}
