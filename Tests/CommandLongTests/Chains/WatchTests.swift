import FuekiSystem
import Glibc
import TestSupport
import Testing

/// `resync --watch`, until it is stopped.
@Suite(
  .enabled(if: EthereumNode.python != nil, EthereumNode.requirement),
  .enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct WatchTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `each round finds what is new, its metrics are whole, and a stop ends it`(signal: Int32) throws {
    let node = try EthereumNode.common.get()
    let own = "0x" + String(repeating: signal == SIGINT ? "a7" : "a8", count: 20)
    try node.send([5], from: node.accounts[0], to: own)
    let machine = try Machine.with([node.wallet("Main", own)])
    let metrics = machine.path("room/metrics.prom")
    try Directory.makePrivateDirectories(machine.path("room"))
    let isCollected = signal == SIGTERM
    if isCollected {
      try machine.write(
        "# TYPE fueki_sync_answers_total counter\nfueki_sync_requests_total{} 0\n",
        to: "room/metrics.prom", permissions: 0o644)
    }
    let run = try RunningProgram(
      machine, ["resync", "--watch", "--interval", "1s", "--metrics-file", metrics] + Machine.allowing)
    defer { run.kill() }
    /// Checks that a reader sees a complete file at any moment.
    func isWhole() throws {
      guard machine.exists("room/metrics.prom") else { return }
      let text = try machine.text("room/metrics.prom")
      #expect(text.hasPrefix("# TYPE fueki_sync_answers_total counter\n") && text.hasSuffix("\n"))
      #expect(text.contains("fueki_sync_requests_total{"))
    }
    try run.wait("the first round") { output in
      try isWhole()
      return output.contains("balance 5, block ") && machine.exists("room/metrics.prom")
    }
    try node.send([6], from: node.accounts[0], to: own)
    try run.wait("what is new") { output in
      try isWhole()
      return output.contains("balance 11, block ") && output.contains(", 1 new, says ")
    }
    #expect(run.end(with: signal) == .exited(130))
    #expect(run.errors.contains("interrupted"))
    let books = try machine.books()
    #expect(books.balance(of: "Main") == "11" && books.transactions(of: "Main").count == 2)
    // An interrupted write leaves no file.
    #expect(try machine.names(in: "room") == ["metrics.prom"])
    // A collector that runs as another user can continue to read it.
    let permissions = try Directory.open(machine.path("room")).status(of: "metrics.prom").permissions
    #expect(permissions == (isCollected ? 0o644 : 0o600))
    let text = try machine.text("room/metrics.prom")
    let counted = text.split(separator: "\n").first {
      $0.hasPrefix(#"fueki_sync_operations_total{operation="wallet",result="ok"} "#)
    }
    #expect(counted?.split(separator: " ").last.flatMap { Int($0) } ?? 0 >= 2, "\(text)")
    // The next one goes on from there.
    #expect(try machine.resync()["wallets"]?[0]?["added"] == .number(0))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a stop is not kept waiting by a server that is slow`(signal: Int32) throws {
    let servers = try FaultyServers(try EthereumNode.common.get())
    let own = "0x" + String(repeating: "a9", count: 20)
    var wallet = ChainWallet(name: "Main", address: own)
    wallet.endpoints = [["ethereum-rpc", try servers.url("drip-always")]]
    let machine = try Machine.with([wallet])
    let books = try machine.books()
    let run = try RunningProgram(machine, ["resync", "--watch"] + Machine.allowing)
    defer { run.kill() }
    try run.wait("its first question") { _ in try servers.asked("drip-always") > 0 }
    #expect(run.end(with: signal) == .exited(130))
    #expect(run.errors.contains("interrupted"))
    #expect(try machine.books().json == books.json)
  }
}

/// The program while it runs.
final class RunningProgram {
  private let machine: Machine
  private let process: Int32
  private var ending: ChildEnding?

  init(_ machine: Machine, _ arguments: [String]) throws {
    self.machine = machine
    for name in ["running.output", "running.errors"] { try machine.write("", to: name) }
    let folder = try Directory.open(machine.root)
    let input = try File.open("/dev/null")
    // Opened for writing by making them.
    for name in ["running.output", "running.errors"] { try folder.remove(name) }
    let output = try folder.createFile("running.output")
    let errors = try folder.createFile("running.errors")
    var command = ChildCommand(
      executable: try PreparedMachine.binary(), arguments: ["fueki-backup"] + arguments,
      environment: [
        "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no", "HOME=\(machine.path("home"))",
        "FUEKI_STATE=\(machine.state)", "FUEKI_DATADIR=\(machine.data)",
      ].map { Array($0.utf8) })
    command.streams = (input.descriptor, output.descriptor, errors.descriptor)
    process = try command.start()
  }

  var output: String { (try? machine.text("running.output")) ?? "" }
  var errors: String { (try? machine.text("running.errors")) ?? "" }

  /// Waits for text in its output.
  ///
  /// A busy machine may take its time.
  func wait(_ what: Comment, until isDone: (String) throws -> Bool) throws {
    for _ in 0..<6000 {
      if try isDone(output) { return }
      SystemClock.sleep(seconds: 0.02)
    }
    Issue.record("it did not come to \(what): \(output) \(errors)")
  }

  /// Sends it a signal, and waits for its end.
  func end(with signal: Int32) -> ChildEnding? {
    _ = Glibc.kill(process, signal)
    for _ in 0..<3000 where ending == nil {
      ending = try? ChildEnding.poll(process)
      SystemClock.sleep(seconds: 0.02)
    }
    return ending
  }

  func kill() {
    guard ending == nil else { return }
    _ = Glibc.kill(process, SIGKILL)
    ending = try? ChildEnding.wait(for: process)
  }
}
