import FuekiSystem
import TestSupport
import Testing

/// The cost of a resync, counted: requests, and the bytes of the store that are read and written.
@Suite(
  .enabled(if: EthereumNode.python != nil, EthereumNode.requirement),
  .enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct ResyncCostTests {
  private static let countsBytes = Installed.runs("/bin/sh", ["-c", "grep -q ^rchar /proc/self/io"])

  /// The cost of a run of the program.
  private struct Cost {
    let requests: Int
    let bytes: Int
  }

  /// Two thousand present and fifty new; with FUEKI_FULL=1 a hundred thousand and two hundred: of a thousand new
  /// blocks this node's answers take longer than any deadline.
  @Test(.enabled(if: countsBytes, "this machine does not count what a process reads"))
  func `the cost grows with what is new, and not with what is there`() throws {
    let (present, new) = TestSeed.isFull ? (100_000, 200) : (2000, 50)
    // A node of its own: of a common one, other tests make blocks between two counts.
    let node = try EthereumNode()
    let own = "0x" + String(repeating: "c057", count: 10)
    try node.mine(400)
    let block = try node.access.call("eth_getBlockByNumber", #""latest",false"#)
    let height = try #require(block["number"]?.text.flatMap { Int($0.dropFirst(2), radix: 16) })
    func machine(_ count: Int) throws -> Machine {
      var wallet = node.wallet("Main", own)
      wallet.synced = ChainWallet.Point(height: height, hash: block["hash"]?.text)
      wallet.balance = "0"
      wallet.history = count
      return try Machine.with([wallet])
    }
    let (few, many) = (try machine(present / 10), try machine(present))
    try node.send(Array(1...new), from: node.accounts[0], to: own)

    let small = try cost(of: few, added: new)
    let large = try cost(of: many, added: new)
    // Ten times as much is there: the same is asked, and of the store not even twice as much is touched, but for an
    // index that is looked through once, at some 40 bytes for each.
    #expect(large.requests == small.requests)
    #expect(large.bytes < 2 * small.bytes + 64 * present, "\(small) \(large)")
    #expect(try many.books().transactions(of: "Main").count == present + new)

    // A tenth of that is new, and nothing.
    try node.mine(70)
    try cost(of: many, added: 0)
    try node.send(Array(1...new / 10), from: node.accounts[0], to: own)
    let tenth = try cost(of: many, added: new / 10)
    let nothing = try cost(of: many, added: 0)
    #expect(nothing.requests <= tenth.requests && tenth.requests < large.requests)
    #expect(tenth.requests - nothing.requests < (large.requests - nothing.requests) / 2)
  }

  @discardableResult
  private func cost(
    of machine: Machine, added: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Cost {
    // A shell's own count includes the children that it has waited for.
    let script = #""$@"; status=$?; cat /proc/$$/io > io; exit $status"#
    let run = try machine.run(
      ["resync", "--json", "--metrics-file", machine.path("metrics.prom")] + Machine.allowing,
      through: ["/bin/sh", "-c", script, "sh"], timeout: 300)
    #expect(run.status == 0, "\(run.errors)", sourceLocation: sourceLocation)
    #expect(
      try run.json()["wallets"]?[0]?["added"] == .number(Double(added)), sourceLocation: sourceLocation)
    func number(_ name: String, in file: String) throws -> Int {
      let lines = try machine.text(file).split(separator: "\n")
      let line = try #require(lines.first { $0.hasPrefix(name) })
      return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
    return Cost(
      requests: try number(#"fueki_sync_requests_total{result="ok"}"#, in: "metrics.prom"),
      bytes: try number("rchar:", in: "io") + number("wchar:", in: "io"))
  }
}
