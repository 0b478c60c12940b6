internal import FlyingFox
internal import FlyingSocks
internal import FoundationEssentials

/// A server on this machine with scripted answers, including faulty ones.
enum LoopbackServer {
  /// A received request.
  struct Question: Sendable {
    var method: String
    var path: String
    /// The query part of the URL.
    var parameters = ""
    var headers: [String: String]
    var body: String
  }

  /// The response.
  struct Answer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: Body

    enum Body: Sendable {
      case text(String)
      /// A body of `sent` bytes with a declared length of `announced`, in bursts after pauses.
      ///
      /// The connection is closed early if `sent` is less than `announced`.
      case stream(announced: Int?, sent: Int, burst: Int, pause: Duration)
    }

    static func text(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> Answer {
      Answer(status: status, headers: headers, body: .text(text))
    }
  }

  /// Runs a server during `test`, which receives its URL without a trailing slash.
  static func run<Result>(
    _ answer: @escaping @Sendable (Question) async -> Answer, test: (String) async throws -> Result
  ) async throws -> Result {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled,
      handler: ClosureHTTPHandler { request in
        var headers: [String: String] = [:]
        for (header, value) in request.headers { headers[header.rawValue.lowercased()] = value }
        let question = Question(
          method: request.method.rawValue, path: request.path,
          parameters: request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&"), headers: headers,
          body: String(decoding: try await request.bodyData, as: UTF8.self))
        return await answer(question).response
      })
    let running = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 60)
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw CancellationError() }
    do {
      let result = try await test("http://127.0.0.1:\(port)")
      await server.stop(timeout: 0)
      _ = await running.result
      return result
    } catch {
      await server.stop(timeout: 0)
      _ = await running.result
      throw error
    }
  }
}

extension LoopbackServer.Question {
  /// The URL's parameters.
  var query: [String: String] {
    let items = parameters.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    return Dictionary(items.map { (String($0[0]), String($0.count > 1 ? $0[1] : "")) }) { $1 }
  }
}

extension LoopbackServer.Answer {
  fileprivate var response: HTTPResponse {
    var fields = HTTPHeaders()
    for (name, value) in headers { fields[HTTPHeader(name)] = value }
    let code = HTTPStatusCode(status, phrase: "As The Test Says")
    switch body {
    case .text(let text): return HTTPResponse(statusCode: code, headers: fields, body: Data(text.utf8))
    case .stream(let announced, let sent, let burst, let pause):
      let bytes = Bursts(
        count: sent, size: burst, pause: pause, breaksOff: announced.map { $0 > sent } ?? false)
      let body = announced.map { HTTPBodySequence(from: bytes, count: $0, suggestedBufferSize: burst) }
      return HTTPResponse(statusCode: code, headers: fields, body: body ?? HTTPBodySequence(from: bytes))
    }
  }
}

/// Bytes in bursts that may end early.
private struct Bursts: AsyncBufferedSequence {
  typealias Element = UInt8
  let count: Int
  let size: Int
  let pause: Duration
  let breaksOff: Bool

  func makeAsyncIterator() -> Iterator { Iterator(bursts: self, left: count) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    let bursts: Bursts
    var left: Int

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard left > 0 else {
        if bursts.breaksOff { throw SocketError.disconnected }
        return nil
      }
      if bursts.pause > .zero { try await Task.sleep(for: bursts.pause) }
      let burst = Swift.min(left, bursts.size, count)
      left -= burst
      return [UInt8](repeating: UInt8(ascii: "x"), count: burst)
    }
  }
}
