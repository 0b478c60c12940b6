import FuekiSystem
import TestSupport
import Testing

/// A night on four machines, watched by a real Prometheus and Alertmanager: three have a problem.
///
/// A fifth one has a list of expected vaults, and one of those has no archive.
@Suite(.enabled(if: Prometheus.canRun, "Prometheus and Alertmanager are not on this machine"))
struct PrometheusNightTests {
  /// Serves the metrics of each machine, and records the alerts that Alertmanager sends.
  private static let script = """
    import http.server, json, sys
    log, folder = open(sys.argv[1], "a", buffering=1), sys.argv[2]
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_GET(self):
        body = open(folder + "/" + self.path.strip("/") + ".prom", "rb").read()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
      def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        for alert in sent["alerts"]:
          labels = alert["labels"]
          log.write(" ".join([labels["alertname"], labels["instance"], labels["severity"]]) + "\\n")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
      def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    log.write("port " + str(server.server_address[1]) + "\\n")
    server.serve_forever()
    """

  @Test func `each machine whose night went wrong is named, and no other`() throws {
    let watch = try Machine()
    try Directory.makePrivateDirectories(watch.path("metrics"))
    try night("well", 0, into: watch) { machine in
      try machine.create()
    }
    try night("damaged", 60, into: watch) { machine in
      try machine.create()
      let newest = try #require(machine.archives().last)
      try machine.damage(newest)
    }
    try night("old", 0, into: watch) { machine in
      for archive in try machine.archives() { try machine.remove(archive) }
      try machine.create(through: ["/usr/bin/faketime", "-f", "-3d"])
    }
    try night("away", 60, into: watch) { machine in
      try machine.create()
      try machine.remove("target")
    }
    try night("watcher", 60, into: watch, ["--expected", "list.toml"]) { machine in
      try machine.create()
      let target = ["--target", machine.target]
      #expect(
        try machine.run(["status", "--write-expected", machine.path("list.toml")] + target).status == 0)
      let list = try machine.text("list.toml")
      let gone = "\n[[vault]]\nid = \"\(String(repeating: "ab", count: 16))\"\nlabel = \"gone\"\n"
      try machine.write(list + gone, to: "list.toml")
    }
    let server = try PythonServer(Self.script, named: "watch", [watch.path("metrics")], on: watch)
    let prometheus = try Prometheus(
      watching: ["well", "damaged", "old", "away", "watcher"], at: "127.0.0.1:\(server.port)", in: watch)
    defer { prometheus.stop() }

    let expected: Set = [
      "BackupProblem damaged", "BackupTooOld old", "BackupProblem away", "ExpectedVaultProblem watcher",
    ]
    var alerts: Set<String> = []
    for _ in 0..<1800 where !alerts.isSuperset(of: expected) {
      SystemClock.sleep(seconds: 0.1)
      for line in try server.requests() where line.hasSuffix(" critical") {
        alerts.insert(line.split(separator: " ").dropLast().joined(separator: " "))
      }
    }
    #expect(alerts == expected)
  }

  /// Prepares a machine, and keeps the metrics of its status.
  private func night(
    _ name: String, _ status: Int32, into watch: Machine, _ options: [String] = [],
    prepare: (Machine) throws -> Void
  ) throws {
    let machine = try Machine()
    try prepare(machine)
    let run = try machine.run(
      ["status", "--target", machine.target, "--prometheus", watch.path("metrics/\(name).prom")]
        + options.map { $0.hasPrefix("--") ? $0 : machine.path($0) })
    #expect(run.status == status, "\(name): \(run.text) \(run.errors)")
  }
}
