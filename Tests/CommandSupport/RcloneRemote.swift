import FuekiSystem
import Glibc
package import TestSupport
package import Testing

/// A remote that rclone knows by a configuration of its own, served on the loopback device.
package final class RcloneRemote {
  /// The kind of its server.
  package enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case local
    case sftp
    case webdav
    case s3

    package var testDescription: String { rawValue }
    /// The kinds for which rclone alone is enough.
    package static let served: [Kind] = [.local, .sftp, .webdav]
  }

  package static let program = InstalledProgram.path("rclone")
  /// A Python that can serve S3: Debian 12's rclone cannot.
  package static let python = InstalledProgram.python(with: "moto", "flask", "flask_cors")

  /// The folder that the archives go to, as the command line has it.
  package let target: String
  /// The same folder as rclone has it.
  package let folder: String
  package let machine: Machine
  private let kind: Kind
  private var server: Int32?

  /// Known to no other test's server.
  private let password = "word\(UInt64.random(in: .min ... .max))"
  /// A loopback address and port that hardly anybody else has.
  private var place = Loopback.place()

  /// Serves a remote named after its kind, with an empty folder that the archives go to.
  package init(_ kind: Kind, _ machine: Machine) throws {
    self.kind = kind
    self.machine = machine
    folder = kind == .s3 ? "s3:bucket/wallet" : "\(kind.rawValue):wallet"
    target = "rclone:\(folder)"
    try Directory.makePrivateDirectories(machine.path("remote/wallet"))
    // If the port is in use, try another.
    for _ in 0..<3 {
      place = Loopback.place()
      try machine.write(try configuration(), to: "rclone.conf")
      switch kind {
      case .local: return
      case .sftp, .webdav:
        try start(
          try #require(Self.program),
          ["serve", kind.rawValue, "--addr", "\(place.host):\(place.port)", "--user", "person"]
            + ["--pass", password, machine.path("remote")])
      case .s3:
        try start(
          try #require(Self.python), ["-m", "moto.server", "-H", place.host, "-p", "\(place.port)"])
      }
      if try answers() { return }
      stop()
    }
    try #require(server != nil, "the server does not answer")
  }

  deinit { stop() }

  /// Whether the server that was started answers, before it ends.
  private func answers() throws -> Bool {
    let ready = kind == .s3 ? ["mkdir", "s3:bucket"] : ["lsf", folder]
    let deadline = SystemClock.monotonicSeconds + 120
    while SystemClock.monotonicSeconds < deadline {
      let isAnswered = try rclone(ready + ["--low-level-retries", "1", "--retries", "1"]).status == 0
      guard let server, try ChildEnding.poll(server) == nil else {
        server = nil
        return false
      }
      if isAnswered { return true }
      SystemClock.sleep(seconds: 0.1)
    }
    return false
  }

  /// Ends the server as a power cut would.
  package func stop() {
    guard let server else { return }
    _ = kill(server, SIGKILL)
    _ = try? ChildEnding.wait(for: server)
    self.server = nil
  }

  /// The environment in which the program finds the remote.
  package var environment: [String: String] { ["RCLONE_CONFIG": machine.path("rclone.conf")] }

  @discardableResult
  package func run(
    _ arguments: [String], through: [String] = [], environment more: [String: String] = [:],
    timeout: Double = 180, status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    try machine.run(
      arguments, through: through, environment: environment.merging(more) { $1 }, timeout: timeout,
      status: status, sourceLocation: sourceLocation)
  }

  @discardableResult
  package func create(
    _ more: [String] = [], environment: [String: String] = [:], status: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    try run(
      ["create", "--target", target] + machine.secrets + more, environment: environment, status: status,
      sourceLocation: sourceLocation)
  }

  /// The names of all files in the folder, as rclone lists them.
  package func names() throws -> [String] {
    try rclone(["lsf", folder]).text.split(separator: "\n").map(String.init).sorted()
  }

  /// Makes the S3 bucket keep versions, and on request locks each for a month.
  package func keepVersions(locking: Bool) throws {
    let script = """
      import boto3, sys
      s3 = boto3.client("s3", endpoint_url="http://\(place.host):\(place.port)", region_name="us-east-1",
                        aws_access_key_id="person", aws_secret_access_key="word")
      s3.delete_bucket(Bucket="bucket")
      s3.create_bucket(Bucket="bucket", ObjectLockEnabledForBucket=\(locking ? "True" : "False"))
      if \(locking ? "True" : "False"):
          rule = {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 30}}
          s3.put_object_lock_configuration(
              Bucket="bucket", ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": rule})
      else:
          s3.put_bucket_versioning(Bucket="bucket", VersioningConfiguration={"Status": "Enabled"})
      """
    let run = try BuiltBinary.run(
      program: try #require(Self.python), ["-c", script], environment: ["HOME": machine.path("home")])
    try #require(run.status == 0, "\(run.errors)")
  }

  package func rclone(_ arguments: [String], stdin: String = "") throws -> RunResult {
    try BuiltBinary.run(
      program: try #require(Self.program), arguments,
      environment: environment.merging(["HOME": machine.path("home")]) { $1 }, stdin: Array(stdin.utf8),
      timeout: 60)
  }

  /// Stands in rclone's place for the program: runs a part of a shell script for one operation, and rclone itself,
  /// as `real`, for all others.
  ///
  /// In the script, `$last` is the last argument, and `$rclone` its path.
  package func interfere(with operation: String, _ script: String) throws -> [String: String] {
    try Directory.makePrivateDirectories(machine.path("bin"))
    let text = """
      #!/bin/bash
      rclone=\(try #require(Self.program))
      real() { $rclone "$@"; }
      remote=\(machine.path("remote")) root=\(machine.root) last="${@: -1}"
      printf '%s\\n' "$*" >>\(machine.path("runs"))
      if [[ $1 == \(operation) ]]; then
      \(script)
      else
      exec $rclone "$@"
      fi
      """
    try machine.write(text, to: "bin/rclone", permissions: 0o700)
    return ["PATH": "\(machine.path("bin")):/usr/bin:/bin"]
  }

  private func configuration() throws -> String {
    let obscured = try BuiltBinary.run(program: try #require(Self.program), ["obscure", password]).text
      .filter { !$0.isWhitespace }
    let account = "user = person\npass = \(obscured)"
    return switch kind {
    case .local: "[local]\ntype = alias\nremote = \(machine.path("remote"))\n"
    case .sftp:
      "[sftp]\ntype = sftp\nhost = \(place.host)\nport = \(place.port)\nshell_type = unix\n"
        + "md5sum_command = md5sum\nsha1sum_command = sha1sum\n\(account)\n"
    case .webdav:
      "[webdav]\ntype = webdav\nurl = http://\(place.host):\(place.port)\nvendor = other\n\(account)\n"
    case .s3:
      "[s3]\ntype = s3\nprovider = Other\naccess_key_id = person\nsecret_access_key = word\n"
        + "endpoint = http://\(place.host):\(place.port)\nforce_path_style = true\n"
    }
  }

  private func start(_ program: String, _ arguments: [String]) throws {
    let environment = ["HOME=\(machine.path("home"))", "PATH=/usr/bin:/bin"]
    var command = ChildCommand(
      executable: program, arguments: [program] + arguments, environment: environment.map { Array($0.utf8) })
    let log = try Directory.open(machine.root).openOrCreateFile("server.log")
    let input = try File.open("/dev/null")
    command.streams = (input.descriptor, log.descriptor, log.descriptor)
    server = try command.start()
  }
}
