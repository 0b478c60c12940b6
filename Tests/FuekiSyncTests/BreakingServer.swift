internal import FlyingSocks
internal import FoundationEssentials

/// A server on this machine that answers one request, and breaks its connection off after the next one.
///
/// It answers a client that connects again.
enum BreakingServer {
  /// Runs a server during `test`, which receives its URL.
  ///
  /// The bodies of the two requests are `first` and `second`.
  static func run<Result>(test: (String) async throws -> Result) async throws -> Result {
    let socket = try listening(at: .inet(ip4: "127.0.0.1", port: 0))
    defer { try? socket.close() }
    guard case .ip4(_, let port) = try socket.sockname() else { throw CancellationError() }
    let pool = SocketPool<Poll>.make()
    try await pool.prepare()
    let running = Task { try await pool.run() }
    defer { running.cancel() }
    let listener = try AsyncSocket(socket: socket, pool: pool)
    let serving = Task {
      let client = try await listener.accept()
      try await answer("first", from: client)
      try await receive("second", from: client)
      try client.close()
      try await answer("second", from: try await listener.accept())
    }
    defer { serving.cancel() }
    return try await test("http://127.0.0.1:\(port)/")
  }

  private static func listening(at address: some SocketAddress) throws -> Socket {
    let socket = try Socket(domain: Int32(type(of: address).family))
    try socket.bind(to: address)
    try socket.listen()
    return socket
  }

  private static func answer(_ body: String, from client: AsyncSocket) async throws {
    try await receive(body, from: client)
    try await client.write(Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong".utf8))
  }

  /// Reads up to the end of a body.
  private static func receive(_ body: String, from client: AsyncSocket) async throws {
    var received: [UInt8] = []
    while !received.ends(with: body.utf8) { received.append(try await client.read()) }
  }
}

extension [UInt8] {
  fileprivate func ends(with end: some Collection<UInt8>) -> Bool { suffix(end.count).elementsEqual(end) }
}
