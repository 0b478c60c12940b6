import FuekiSync
import FuekiWallet
import Testing

@Suite struct JSONRPCTests {
  /// A server that returns its bodies in turn.
  private struct Canned: Transport {
    let status: Int
    let bodies: [String]
    let asked = Journal<String>()

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let number = asked.note(String(decoding: request.body, as: UTF8.self))
      return HTTPResponse(status: status, body: Array(bodies[min(number, bodies.count - 1)].utf8))
    }
  }

  private func call(
    _ method: String = "m", _ arguments: [JSONArgument] = [], status: Int = 200, answers: String...
  ) async -> (result: Result<JSONValue, SyncError>, asked: [String]) {
    let canned = Canned(status: status, bodies: answers)
    let client = ServerClient(
      transport: canned, pace: Pace(now: { 0 }, sleep: { _ in }, chance: { 0 }))
    do throws(SyncError) {
      return (
        .success(try await JSONRPC(client, url: "http://h").call(method, arguments)), canned.asked.entries
      )
    } catch {
      return (.failure(error), canned.asked.entries)
    }
  }

  private func failure(
    status: Int = 200, _ answer: String
  ) async -> (error: SyncError?, tries: Int) {
    let (result, asked) = await call(status: status, answers: answer)
    if case .failure(let error) = result { return (error, asked.count) }
    return (nil, asked.count)
  }

  @Test func `arguments go out exactly, and numbers come back exactly`() async throws {
    let arguments: [JSONArgument] = [
      "a\"\\\u{1}é", 7, true, .null, .number("0.10000000"), ["x"], ["k": ["y", 1]],
    ]
    let (result, asked) = await call(
      "say", arguments, answers: #"{"jsonrpc":"2.0","id":1,"result":{"amount":0.10000000}}"#)
    #expect(
      asked == [
        #"{"jsonrpc":"2.0","id":1,"method":"say","params":["#
          + #""a\"\\\u0001é",7,true,null,0.10000000,["x"],{"k":["y",1]}]}"#
      ])
    #expect(try result.get().member("amount")?.number == "0.10000000")
  }

  @Test func `a server's errors are told apart`() async {
    let error = { (code: Int) in #"{"id":1,"error":{"code":\#(code),"message":"no\u001b[31m"}}"# }
    #expect(await failure(error(-32601)) == (.unsupported(what: "m"), 1))
    #expect(await failure(error(-32602)) == (.server(code: -32602, message: "no[31m"), 1))
    #expect(await failure(error(3)) == (.server(code: 3, message: "no[31m"), 1))
    #expect(await failure(error(-32005)) == (.server(code: -32005, message: "no[31m"), 5))
    // Bitcoin Core returns errors as HTTP 500 or 404 with a body.
    #expect(await failure(status: 500, error(-28)) == (.server(code: -28, message: "no[31m"), 5))
    #expect(await failure(status: 500, error(-8)) == (.server(code: -8, message: "no[31m"), 1))
    #expect(await failure(status: 404, error(-32601)) == (.unsupported(what: "m"), 1))
    #expect(await failure(status: 401, "") == (.refused(status: 401), 1))
    #expect(await failure(status: 503, "<html>") == (.refused(status: 503), 5))
    #expect(await failure(status: 500, "<html>") == (.refused(status: 500), 1))
    #expect(await failure(status: 429, error(-8)) == (.rateLimited, 5))
  }

  @Test(arguments: [
    "", "{", "[]", "{}", "1", #"{"id":2,"result":1}"#, #"{"id":1}"#, #"{"id":1,"error":1}"#,
    #"{"id":1,"result":1}x"#, #"{"id":1,"result":1,"result":2}"#,
  ])
  func `what is no answer is malformed`(body: String) async {
    switch await failure(body) {
    case (.malformed, 1), (.notJSON, 1): break
    case let other: Issue.record("\(other)")
    }
  }

  @Test func `an answer may be null, and comes before an error that is null`() async throws {
    let (result, _) = await call(answers: #"{"result":null,"error":null,"id":1}"#)
    #expect(try result.get().kind == .null)
  }

  @Test func `the answers of a batch are put in order`() async throws {
    let body = #"[{"id":1,"result":"b"},{"id":0,"result":"a"}]"#
    let canned = Canned(status: 200, bodies: [body])
    let rpc = JSONRPC(ServerClient(transport: canned), url: "http://h")
    let results = try await rpc.batch([.init("x"), .init("y", [1])])
    #expect(results.map(\.string) == ["a", "b"])
    await #expect(throws: SyncError.malformed(what: "no answer to z")) {
      try await rpc.batch([.init("x"), .init("y"), .init("z")])
    }
    #expect(try await rpc.batch([]).isEmpty)
  }
}
