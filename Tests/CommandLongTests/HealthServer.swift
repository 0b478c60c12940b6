/// A server on the loopback device that records its requests.
final class HealthServer {
  static let canRun = PythonServer.canRun

  /// How it answers.
  enum Manner: String {
    case well
    case error
    case redirect
    case never
  }

  private static let script = """
    import http.server, sys, time
    log, manner = open(sys.argv[1], "a", buffering=1), sys.argv[2]
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_GET(self):
        log.write(self.command + " " + self.path + "\\n")
        if manner == "never": time.sleep(600)
        self.send_response({"well": 200, "error": 404, "redirect": 302}[manner])
        if manner == "redirect": self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"OK")
      def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    log.write("port " + str(server.server_address[1]) + "\\n")
    server.serve_forever()
    """

  private let server: PythonServer

  var port: String { server.port }

  init(_ manner: Manner, on machine: Machine) throws {
    server = try PythonServer(
      Self.script, named: "server-\(manner.rawValue)", [manner.rawValue], on: machine)
  }

  /// Returns the requests since the last call, in order.
  func requests() throws -> [String] { try server.requests() }
}
