/// A server on the loopback device that answers every request with a file's contents, and records the requests.
package final class AnsweringServer {
  package static let canRun = PythonServer.canRun

  private static let script = """
    import http.server, sys
    log, answer = open(sys.argv[1], "a", buffering=1), sys.argv[2]
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fields = [name + ": " + value for name, value in self.headers.items()]
        log.write(" | ".join([self.command + " " + self.path] + fields) + "\\n")
        status, body = open(answer).read().split("\\n", 1)
        if status == "0": return self.flood()
        self.send_response(int(status))
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())
      do_POST = do_GET
      def flood(self):
        self.send_response(200)
        self.end_headers()
        try:
          for _ in range(1024): self.wfile.write(bytes(1 << 20))
        except OSError: pass
      def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    log.write("port " + str(server.server_address[1]) + "\\n")
    server.serve_forever()
    """

  private let machine: Machine
  private let server: PythonServer

  package var port: String { server.port }

  package init(on machine: Machine) throws {
    self.machine = machine
    try machine.write("404\n", to: "answer")
    server = try PythonServer(Self.script, named: "answering", [machine.path("answer")], on: machine)
  }

  /// How it answers from now on.
  package func answer(_ body: String, status: Int = 200) throws {
    try machine.write("\(status)\n\(body)", to: "answer")
  }

  /// Answers from now on with a body that has no end that anybody would wait for.
  package func flood() throws { try answer("", status: 0) }

  /// The requests since this was last asked, each with its header fields.
  package func requests() throws -> [String] { try server.requests() }
}
