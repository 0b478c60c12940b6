import FuekiSync
import Testing

/// A transport with canned answers in order.
///
/// The last one is repeated.
private struct Canned: Transport {
  let answers: [Result<HTTPResponse, TransportError>]
  let asked = Journal<String>()

  func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let number = asked.note(request.url)
    return try answers[min(number, answers.count - 1)].get()
  }
}

/// A clock that advances only by sleeping.
private final class Sleeper: Sendable {
  let slept = Journal<Double>()

  var pace: Pace {
    Pace(
      now: { 784_111_777 + self.slept.entries.reduce(0, +) }, sleep: { _ = self.slept.note($0) },
      chance: { 1 })
  }
}

@Suite struct ServerClientTests {
  private func outcome(
    _ answers: [Result<HTTPResponse, TransportError>]
  ) async -> (SyncError?, tries: Int, slept: [Double]) {
    let transport = Canned(answers: answers)
    let sleeper = Sleeper()
    let client = ServerClient(transport: transport, pace: sleeper.pace)
    do throws(SyncError) {
      _ = try await client.ask(HTTPRequest(.get, "https://h/")) { response throws(SyncError) in
        try response.successful()
      }
      return (nil, transport.asked.entries.count, sleeper.slept.entries)
    } catch {
      return (error, transport.asked.entries.count, sleeper.slept.entries)
    }
  }

  private func answer(_ status: Int, _ headers: [String: String] = [:]) -> Result<
    HTTPResponse, TransportError
  > {
    .success(HTTPResponse(status: status, headers: headers, body: []))
  }

  @Test(arguments: [408, 425, 429, 502, 503, 504])
  func `what may pass is tried again, each time later`(status: Int) async {
    let (error, tries, slept) = await outcome([answer(status), answer(status), answer(200)])
    #expect(error == nil && tries == 3)
    #expect(slept == [0.5, 1])
  }

  @Test func `after five tries the error stands`() async {
    let (error, tries, slept) = await outcome([answer(503)])
    #expect(error == .refused(status: 503) && tries == 5)
    #expect(slept == [0.5, 1, 2, 4])
    #expect(await outcome([answer(429)]).0 == .rateLimited)
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .delete])
  func `what may have changed the server is not sent again`(method: HTTPRequest.Method) async {
    for failed in [answer(503), answer(429), .failure(.deadline), .failure(.unreachable(reason: ""))] {
      let transport = Canned(answers: [failed, answer(200)])
      let client = ServerClient(transport: transport, pace: Sleeper().pace)
      await #expect(throws: SyncError.self) {
        try await client.ask(HTTPRequest(method, "https://h/")) { response throws(SyncError) in
          try response.successful()
        }
      }
      #expect(transport.asked.entries.count == 1)
    }
  }

  @Test(arguments: [400, 401, 403, 404, 500, 501])
  func `what will not pass is not tried again`(status: Int) async {
    let (error, tries, _) = await outcome([answer(status)])
    #expect(error == .refused(status: status) && tries == 1)
  }

  @Test(arguments: [
    (TransportError.unreachable(reason: ""), 5), (.deadline, 5), (.notTrusted(reason: ""), 1),
    (.tooLarge(limit: 1), 1), (.redirected(to: "x"), 1), (.invalidURL, 1), (.credentialInTheClear, 1),
  ])
  func `failures to get an answer`(failure: TransportError, tries: Int) async {
    let outcome = await outcome([.failure(failure)])
    #expect(outcome.0 == .transport(failure) && outcome.tries == tries)
  }

  @Test(arguments: [
    ("7", 7.0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("86400", 120), ("99999999999999999999999", 120),
    // A time already past, as from a server whose clock is behind, means the usual delay.
    ("0", 0.5), ("Sun, 06 Nov 1994 08:00:00 GMT", 0.5),
  ])
  func `the server says when to come back`(text: String, wait: Double) async {
    let (error, tries, slept) = await outcome([answer(429, ["retry-after": text]), answer(200)])
    #expect(error == nil && tries == 2)
    #expect(slept == [wait])
  }

  @Test(arguments: ["soon", "-3", "1.5", "Sun, 06 Foo 1994 08:49:47 GMT", ""])
  func `what is no time is no Retry-After`(text: String) async {
    #expect(await outcome([answer(429, ["retry-after": text]), answer(200)]).slept == [0.5])
  }

  @Test func `a pause holds for all who ask this server, and for no other`() async throws {
    let transport = Canned(answers: [answer(429, ["retry-after": "30"]), answer(200)])
    let sleeper = Sleeper()
    let client = ServerClient(transport: transport, pace: sleeper.pace, tries: 1)
    let ask = { (url: String) async -> SyncError? in
      do throws(SyncError) {
        _ = try await client.ask(HTTPRequest(.get, url)) { response throws(SyncError) in
          try response.successful()
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(await ask("https://h/a") == .rateLimited)
    #expect(await ask("https://other/") == nil)
    #expect(sleeper.slept.entries.isEmpty)
    #expect(await ask("https://H/b?c") == nil)
    #expect(sleeper.slept.entries == [30])
  }

  @Test func `an error within a body is judged as well`() async {
    let transport = Canned(answers: [answer(200)])
    let client = ServerClient(transport: transport, pace: Sleeper().pace)
    do throws(SyncError) {
      _ = try await client.ask(HTTPRequest(.get, "https://h/")) { _ throws(SyncError) -> Int in
        throw .server(code: -32005, message: "slow down")
      }
    } catch {
      #expect(error == .server(code: -32005, message: "slow down"))
    }
    #expect(transport.asked.entries.count == 5)
  }

  @Test func `a server gets only a few requests at a time`() async throws {
    let busiest = try await LoopbackServer.run { _ in
      await Crowd.shared.enter()
      // Waits until the permitted number of requests is there, and then a moment for one too many.
      for _ in 0..<1000 where await Crowd.shared.busiest < 3 { try? await Task.sleep(for: .milliseconds(30)) }
      try? await Task.sleep(for: .milliseconds(30))
      await Crowd.shared.leave()
      return .text("")
    } test: { url in
      let client = ServerClient(transport: CurlTransport(), width: 3)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            _ = try? await client.ask(HTTPRequest(.get, url)) { response throws(SyncError) in
              try response.successful()
            }
          }
        }
      }
      return await Crowd.shared.busiest
    }
    #expect(busiest == 3)
  }

  @Test func `a server is named without what may be secret`() {
    #expect(HTTPRequest(.get, "HTTPS://Node.Example:8545/v3/key?k=1").server == "https://node.example:8545")
    #expect(HTTPRequest(.get, "http://h?key").server == "http://h")
    #expect(HTTPRequest(.get, "https://me:pass@word@Node.example/v3").server == "https://node.example")
    #expect(HTTPRequest(.get, "me:password@h:8545/key").server == "h:8545")
    #expect(HTTPRequest(.get, "/home/Me/bark").server == "/home/Me/bark")
    #expect(HTTPRequest(.get, "http://h").server == "http://h")
  }
}

private actor Crowd {
  static let shared = Crowd()
  private var inside = 0
  private(set) var busiest = 0

  func enter() {
    inside += 1
    busiest = max(busiest, inside)
  }

  func leave() { inside -= 1 }
}
