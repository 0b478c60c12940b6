import TestSupport
import Testing

/// What runs leave on a machine, besides what they are for.
@Suite(.enabled(if: AnsweringServer.canRun, "python3's http.server is not on this machine"))
struct LeftFilesTests {
  @Test func `asking servers leaves nothing at home, among temporary files or where it was done`() throws {
    let machine = try Machine()
    let server = try AnsweringServer(on: machine)
    try server.answer(#"{"a":1}"#)
    let url = "http://127.0.0.1:\(server.port)"
    try machine.write(
      """
      [health]
      url = "\(url)/health"
      [[endpoint]]
      kind = "ethereum-rpc"
      url = "\(url)/chain"
      [[price]]
      asset = "a"
      currency = "b"
      path = "a"
      url = "\(url)/price"

      """, to: "config.toml")
    let places = ["home", "tmp"]
    func left() throws -> [[String: [UInt8]]] { try places.map(machine.snapshot) }
    let (before, beside) = (try left(), try machine.names(in: ""))
    let configuration = ["--config", machine.path("config.toml")]
    try machine.run(["resync", "--policy", "network-only"] + configuration, status: 50)
    try machine.create(configuration, status: 0)
    let asked = try server.requests()
    for part in ["GET /health/start", "GET /health ", "POST /chain", "GET /price"] {
      #expect(asked.contains { $0.hasPrefix(part) }, "\(part): \(asked)")
    }
    #expect(try left() == before)
    #expect(Set(try machine.names(in: "")) == Set(beside))
  }
}
