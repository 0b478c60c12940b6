import FuekiSystem
import TestSupport
import Testing

/// A small server of object storage with faults, and an rclone that knows it.
///
/// It serves the files of one folder as `s3:bucket/wallet`, and lists two on a page.
final class ObjectServer {
  private static let script = """
    import http.server, os, sys, threading, time, urllib.parse
    log, folder, plan = open(sys.argv[1], "a", buffering=1), sys.argv[2], sys.argv[3]
    lock, seen = threading.Lock(), {"plan": None, "count": 0}
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"
      def reply(self, status, body, fields={}, missing=0):
        self.send_response(status)
        for name, value in fields.items(): self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) + missing))
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(body)
        if missing: self.close_connection = True
      def refuse(self, status, code):
        self.reply(status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode())
      def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        key = urllib.parse.unquote(url.path).removeprefix("/bucket").lstrip("/")
        text = open(plan).read()
        words = text.split()
        with lock:
          if text != seen["plan"]: seen.update(plan=text, count=0)
          seen["count"] += 1
          count = seen["count"]
        log.write(f"{self.command} {self.path}\\n")
        fault, argument = words[0], words[-1]
        if fault == "busy" and count <= int(argument): return self.refuse(503, "SlowDown")
        if fault == "crowded" and count <= int(argument): return self.refuse(429, "TooManyRequests")
        if fault == "expired" and count > int(argument): return self.refuse(403, "ExpiredToken")
        if fault == "skewed": return self.refuse(403, "RequestTimeTooSkewed")
        if not key: return self.page(query, fault)
        path = os.path.join(folder, os.path.basename(key))
        if not key.startswith("wallet/") or not os.path.isfile(path): return self.refuse(404, "NoSuchKey")
        if fault == "silent":
          open(argument, "w").write("asked")
          time.sleep(600)
        if fault == "hidden" and argument in key: return self.refuse(404, "NoSuchKey")
        if fault == "refused" and argument in key: return self.refuse(403, "AccessDenied")
        if fault == "throttled" and argument in key: return self.refuse(503, "SlowDown")
        body, status = open(path, "rb").read(), 200
        fields = {"Last-Modified": "Thu, 26 Nov 2026 00:00:00 GMT", "ETag": '"0-1"', "Accept-Ranges": "bytes"}
        if "Range" in self.headers and self.command == "GET":
          first, last = self.headers["Range"].removeprefix("bytes=").split("-")
          last = min(int(last or len(body) - 1), len(body) - 1)
          fields["Content-Range"] = f"bytes {first}-{last}/{len(body)}"
          body, status = body[int(first):last + 1], 206
        if fault == "cut" and argument in key and self.command == "GET":
          half = len(body) // 2
          return self.reply(status, body[:half], fields, missing=len(body) - half)
        self.reply(status, body, fields)
      do_HEAD = do_GET
      def page(self, query, fault):
        names = sorted(os.listdir(folder)) if query.get("prefix") == ["wallet/"] else []
        start = int(query.get("continuation-token", ["0"])[0])
        if start and fault == "half": return self.refuse(500, "InternalError")
        items = "".join(
          f"<Contents><Key>wallet/{name}</Key><Size>{os.path.getsize(os.path.join(folder, name))}</Size>"
          "<LastModified>2026-11-26T00:00:00.000Z</LastModified><ETag>&quot;0-1&quot;</ETag></Contents>"
          for name in names[start:start + 2])
        more = f"<NextContinuationToken>{start + 2}</NextContinuationToken>" if start + 2 < len(names) else ""
        body = (f"<ListBucketResult><Name>bucket</Name><IsTruncated>{'true' if more else 'false'}</IsTruncated>"
          f"{items}{more}</ListBucketResult>").encode()
        if start and fault == "torn": return self.reply(200, body[:len(body) // 2], missing=len(body) // 2)
        self.reply(200, body, {"Content-Type": "application/xml"})
      def log_message(self, *_): pass
    class Server(http.server.ThreadingHTTPServer):
      request_queue_size = 128
    server = Server(("127.0.0.1", 0), Handler)
    log.write("port " + str(server.server_address[1]) + "\\n")
    server.serve_forever()
    """

  let target = "rclone:s3:bucket/wallet"
  let machine: Machine
  private let server: PythonServer

  /// Serves the files in a machine's folder `objects`.
  init(on machine: Machine) throws {
    self.machine = machine
    try Directory.makePrivateDirectories(machine.path("objects"))
    try machine.write("none", to: "plan")
    server = try PythonServer(
      Self.script, named: "objects", [machine.path("objects"), machine.path("plan")], on: machine)
    try machine.write(
      """
      [s3]
      type = s3
      provider = Other
      access_key_id = person
      secret_access_key = word
      endpoint = http://127.0.0.1:\(server.port)
      force_path_style = true
      region = us-east-1
      list_version = 2
      """, to: "rclone.conf")
  }

  /// The fault of its answers from now on: a word, and an argument.
  func fail(_ plan: String) throws { try machine.write(plan, to: "plan") }

  /// The requests since the last call.
  func requests() throws -> [String] { try server.requests() }

  /// The environment in which the program finds the remote.
  var environment: [String: String] { ["RCLONE_CONFIG": machine.path("rclone.conf")] }

  func run(_ arguments: [String], through: [String] = []) throws -> RunResult {
    try machine.run(arguments, through: through, environment: environment)
  }
}
