import FuekiSystem
import Glibc
import TestSupport
import Testing

/// A server on the loopback device that answers every request with what lies in a file, and keeps what it was asked.
final class AnsweringServer {
  static let canRun = Installed.runs("/usr/bin/python3", ["-c", "import http.server"])

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

  let port: String
  private let machine: Machine
  private var process: Int32?

  init(on machine: Machine) throws {
    self.machine = machine
    try machine.write(Self.script, to: "answering.py")
    try machine.write("", to: "asked")
    try machine.write("404\n", to: "answer")
    var command = ChildCommand(
      executable: "/usr/bin/python3",
      arguments: ["python3", machine.path("answering.py"), machine.path("asked"), machine.path("answer")],
      environment: ["PATH=/usr/bin:/bin"].map { Array($0.utf8) })
    let nothing = try File.open("/dev/null")
    command.streams = (nothing.descriptor, 2, 2)
    process = try command.start()
    var line: Substring?
    for _ in 0..<3000 where line == nil {
      SystemClock.sleep(seconds: 0.02)
      let text = String(decoding: try machine.read("asked"), as: UTF8.self)
      if text.contains("\n") { line = text.split(separator: "\n").first }
    }
    port = String(try #require(line).dropFirst("port ".count))
  }

  deinit {
    guard let process else { return }
    _ = kill(process, SIGKILL)
    _ = try? ChildEnding.wait(for: process)
  }

  /// How it answers from now on.
  func answer(_ body: String, status: Int = 200) throws {
    try machine.write("\(status)\n\(body)", to: "answer")
  }

  /// Answers from now on with a body that has no end that anybody would wait for.
  func flood() throws { try answer("", status: 0) }

  /// The requests since this was last asked, each with its header fields.
  func requests() throws -> [String] {
    let lines = String(decoding: try machine.read("asked"), as: UTF8.self).split(separator: "\n")
    defer { seen = lines.count }
    return lines.dropFirst(seen).map(String.init)
  }

  private var seen = 1
}
