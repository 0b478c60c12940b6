import FuekiSystem
import Glibc
import TestSupport
import Testing

/// A server on the loopback device that keeps what it was asked for.
final class HealthServer {
  static let canRun = Installed.runs("/usr/bin/python3", ["-c", "import http.server"])

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

  let port: String
  private let machine: Machine
  private let name: String
  private var process: Int32?

  init(_ manner: Manner, on machine: Machine) throws {
    self.machine = machine
    name = "server-\(manner.rawValue)"
    try machine.write(Self.script, to: "server.py")
    try machine.write("", to: name)
    var command = ChildCommand(
      executable: "/usr/bin/python3",
      arguments: ["python3", machine.path("server.py"), machine.path(name), manner.rawValue],
      environment: ["PATH=/usr/bin:/bin"].map { Array($0.utf8) })
    let nothing = try File.open("/dev/null")
    command.streams = (nothing.descriptor, 2, 2)
    process = try command.start()
    var line: Substring?
    for _ in 0..<3000 where line == nil {
      SystemClock.sleep(seconds: 0.02)
      line = String(decoding: try machine.read(name), as: UTF8.self).split(separator: "\n").first
    }
    port = String(try #require(line).dropFirst("port ".count))
  }

  deinit {
    guard let process else { return }
    _ = kill(process, SIGKILL)
    _ = try? ChildEnding.wait(for: process)
  }

  /// What it was asked for, in order, and forgets it.
  func requests() throws -> [String] {
    let lines = String(decoding: try machine.read(name), as: UTF8.self).split(separator: "\n")
    defer { seen = lines.count }
    return lines.dropFirst(seen).map(String.init)
  }

  private var seen = 1
}
