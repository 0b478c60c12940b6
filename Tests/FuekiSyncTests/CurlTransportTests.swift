import FuekiCrypto
import FuekiSync
import Testing

/// The network transport against a real server with the faults of such servers.
@Suite struct CurlTransportTests {
  private let transport = CurlTransport()

  private func failure(of request: HTTPRequest) async -> TransportError? {
    do throws(TransportError) {
      _ = try await transport.exchange(request)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a request arrives as it was made, and its answer as it was given`() async throws {
    let seen = Journal<LoopbackServer.Question>()
    let answer = try await LoopbackServer.run { question in
      seen.note(question)
      return .text("pong", status: 418, headers: ["X-Told": "yes"])
    } test: { url in
      var request = HTTPRequest(.post, "\(url)/a/b", body: Array("ping".utf8))
      request.headers["Content-Type"] = "application/json"
      return try await transport.exchange(request)
    }
    #expect(answer.status == 418 && answer.headers["x-told"] == "yes")
    #expect(String(decoding: answer.body, as: UTF8.self) == "pong")
    let question = try #require(seen.entries.first)
    #expect(question.method == "POST" && question.path == "/a/b" && question.body == "ping")
    #expect(question.headers["content-type"] == "application/json")
    #expect(question.headers["authorization"] == nil && question.headers["cookie"] == nil)
  }

  @Test func `each method arrives as itself, and only those that write have a body`() async throws {
    let seen = Journal<LoopbackServer.Question>()
    try await LoopbackServer.run { question in
      seen.note(question)
      return .text("")
    } test: { url in
      for method in [HTTPRequest.Method.get, .post, .put, .delete] {
        _ = try await transport.exchange(HTTPRequest(method, url, body: Array("new".utf8)))
      }
    }
    #expect(seen.entries.map(\.method) == ["GET", "POST", "PUT", "DELETE"])
    #expect(seen.entries.map(\.body) == ["", "new", "new", ""])
  }

  @Test func `a credential is a header field, and no cookie comes back`() async throws {
    let seen = Journal<LoopbackServer.Question>()
    try await LoopbackServer.run { question in
      seen.note(question)
      return .text("", headers: ["Set-Cookie": "a=b; Path=/"])
    } test: { url in
      for form in [EndpointCredential.Form.basic, .bearer, .header("X-Key")] {
        var request = HTTPRequest(.get, url)
        let bytes = Array("user:påss".utf8)
        request.credential = EndpointCredential(
          form, secret: SharedSecret(try SecretBytes(copying: bytes.span)))
        _ = try await transport.exchange(request)
      }
    }
    #expect(
      seen.entries.map { $0.headers["authorization"] } == ["Basic dXNlcjpww6Vzcw==", "Bearer user:påss", nil])
    #expect(seen.entries[2].headers["x-key"] == "user:påss")
    #expect(seen.entries.allSatisfy { $0.headers["cookie"] == nil })
  }

  @Test func `no secret goes in the clear to another machine, or breaks out of its field`() async throws {
    let secret = Array("k".utf8)
    var request = HTTPRequest(.get, "http://node.example/")
    request.credential = EndpointCredential(
      .bearer, secret: SharedSecret(try SecretBytes(copying: secret.span)))
    for host in ["node.example", "127.0.0.1.node.example", "127.example", "localhost.example", "128.0.0.1"] {
      request.url = "http://\(host)/"
      #expect(await failure(of: request) == .credentialInTheClear, "\(host)")
    }
    let broken = Array("k\r\nX-Other: 1".utf8)
    request.url = "http://127.0.0.1:9/"
    request.credential = EndpointCredential(
      .bearer, secret: SharedSecret(try SecretBytes(copying: broken.span)))
    #expect(await failure(of: request) == .invalidURL)
  }

  @Test(arguments: ["", "x", "ftp://h/", "file:///etc/passwd", "http://", "http://u:p@h/", "https://k@h/"])
  func `a URL of another kind is refused`(url: String) async {
    #expect(await failure(of: HTTPRequest(.get, url)) == .invalidURL)
  }

  @Test func `a redirection is not followed`() async throws {
    let seen = Journal<String>()
    let failure = try await LoopbackServer.run { question in
      seen.note(question.path)
      return .text("", status: 302, headers: ["Location": "http://elsewhere.invalid/secret"])
    } test: { url in
      await self.failure(of: HTTPRequest(.get, "\(url)/here"))
    }
    #expect(failure == .redirected(to: "elsewhere.invalid"))
    #expect(seen.entries == ["/here"])
  }

  @Test func `a port without a server is no connection`() async {
    guard case .unreachable? = await failure(of: HTTPRequest(.get, "http://127.0.0.1:9/")) else {
      Issue.record("expected no connection")
      return
    }
  }

  @Test func `an answer that ends too early is no answer`() async throws {
    let failure = try await LoopbackServer.run { _ in
      LoopbackServer.Answer(body: .stream(announced: 1000, sent: 400, burst: 400, pause: .zero))
    } test: { url in
      await self.failure(of: HTTPRequest(.get, url))
    }
    #expect(failure == .unreachable(reason: "the connection broke off"))
  }

  @Test func `a connection that breaks off before a byte is no answer`() async throws {
    let failure = try await LoopbackServer.run { _ in
      LoopbackServer.Answer(body: .stream(announced: 1000, sent: 0, burst: 1, pause: .zero))
    } test: { url in
      await self.failure(of: HTTPRequest(.get, url))
    }
    #expect(failure == .unreachable(reason: "the connection broke off"))
  }

  @Test func `a kept connection that breaks off at the next request is made anew`() async throws {
    try await BreakingServer.run { url in
      for body in ["first", "second"] {
        let answer = try await transport.exchange(HTTPRequest(.post, url, body: Array(body.utf8)))
        #expect(String(decoding: answer.body, as: UTF8.self) == "pong", "\(body)")
      }
    }
  }

  @Test func `an exchange has half a minute, unless its request has another deadline`() {
    #expect(HTTPRequest(.get, "https://h/").deadline == .seconds(30))
  }

  @Test func `a slow drip ends with the deadline`() async throws {
    let failure = try await LoopbackServer.run { _ in
      LoopbackServer.Answer(
        body: .stream(announced: 1 << 20, sent: 1 << 20, burst: 1, pause: .milliseconds(50)))
    } test: { url in
      var request = HTTPRequest(.get, url)
      request.deadline = .milliseconds(500)
      return await self.failure(of: request)
    }
    #expect(failure == .deadline)
  }

  @Test(arguments: [64 << 20, nil])
  func `a body of 64 MB is cut off at the limit, announced or not`(announced: Int?) async throws {
    let failure = try await LoopbackServer.run { _ in
      LoopbackServer.Answer(
        body: .stream(announced: announced, sent: 64 << 20, burst: 1 << 16, pause: .zero))
    } test: { url in
      var request = HTTPRequest(.get, url)
      request.bodyLimit = 1 << 20
      return await self.failure(of: request)
    }
    #expect(failure == .tooLarge(limit: 1 << 20))
  }

  @Test(arguments: [1 << 19, nil])
  func `an answer that is refused while it comes ends nothing else`(announced: Int?) async throws {
    try await LoopbackServer.run { _ in
      LoopbackServer.Answer(
        body: .stream(announced: announced, sent: 1 << 19, burst: 1 << 14, pause: .zero))
    } test: { url in
      var request = HTTPRequest(.get, url)
      request.bodyLimit = 1 << 18
      for _ in 0..<100 {
        #expect(await failure(of: request) == .tooLarge(limit: 1 << 18))
      }
    }
  }

  @Test func `a cancelled task does not wait for the answer`() async throws {
    let seen = Journal<Void>()
    let failure = try await LoopbackServer.run { _ in
      seen.note(())
      return LoopbackServer.Answer(body: .stream(announced: 10, sent: 10, burst: 1, pause: .seconds(600)))
    } test: { url in
      let task = Task { await self.failure(of: HTTPRequest(.get, url)) }
      try await Gate.wait { !seen.entries.isEmpty }
      task.cancel()
      return await task.value
    }
    #expect(failure == .cancelled)
  }
}
