import FuekiSystem
import Glibc
import TestSupport
import Testing

/// A server on the loopback device, as a script in Python.
///
/// The script's first argument is its log. The first line is "port" and the number, and each other line is a request.
package final class PythonServer {
  package static let canRun = Installed.runs("/usr/bin/python3", ["-c", "import http.server"])

  package let port: String
  private let machine: Machine
  private let log: String
  private var process: Int32?
  private var seen = 1

  package init(_ script: String, named name: String, _ arguments: [String], on machine: Machine) throws {
    self.machine = machine
    log = "\(name).log"
    try machine.write(script, to: "\(name).py")
    try machine.write("", to: log)
    var command = ChildCommand(
      executable: "/usr/bin/python3",
      arguments: ["python3", machine.path("\(name).py"), machine.path(log)] + arguments,
      environment: ["PATH=/usr/bin:/bin"].map { Array($0.utf8) })
    let nothing = try File.open("/dev/null")
    command.streams = (nothing.descriptor, 2, 2)
    process = try command.start()
    var line: Substring?
    for _ in 0..<3000 where line == nil {
      SystemClock.sleep(seconds: 0.02)
      let text = String(decoding: try machine.read(log), as: UTF8.self)
      if text.contains("\n") { line = text.split(separator: "\n").first }
    }
    port = String(try #require(line).dropFirst("port ".count))
  }

  deinit {
    guard let process else { return }
    _ = kill(process, SIGKILL)
    _ = try? ChildEnding.wait(for: process)
  }

  /// Returns the requests since the last call, in order.
  package func requests() throws -> [String] {
    let lines = String(decoding: try machine.read(log), as: UTF8.self).split(separator: "\n")
    defer { seen = lines.count }
    return lines.dropFirst(seen).map(String.init)
  }
}
