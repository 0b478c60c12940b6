import TestSupport
import Testing

/// Servers that misbehave, each for a wallet of its own, in one run.
///
/// Those that recover end with the chain's balances and history. For the others the user learns the reason.
@Suite(
  .enabled(if: EthereumNode.python != nil, EthereumNode.requirement),
  .enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct ServerFaultTests {
  /// The misbehaviour of a server, and its report; nil if the server recovers.
  private static let manners: [(name: String, words: String?)] = [
    ("well", nil), ("rate", nil), ("broken", nil), ("drop", nil), ("cut", nil), ("drip", nil),
    ("rate-always", "it received too many requests: try again later, or use a key of your own"),
    ("broken-always", "it has a problem of its own (HTTP 503): try again later"),
    ("drop-always", "no connection (the connection broke off)"),
    ("cut-always", "no connection (the connection broke off)"),
    ("long-always", "its answer is longer than 16 MiB, so it was not used"),
    ("other-chain", "it serves another chain: 1, but the wallet is on 1337. Check the endpoint's URL"),
  ]

  private func address(_ place: Int) -> String {
    let digits = String(0xFA_0000 + place, radix: 16)
    return "0x" + String(repeating: "0", count: 40 - digits.count) + digits
  }

  @Test func `each server's fault is got over, or told, and stops no other wallet`() throws {
    let node = try EthereumNode.common.get()
    let servers = try FaultyServers(node)
    let wallets = try Self.manners.enumerated().map { place, manner in
      node.wallet(manner.name, address(place), url: try servers.url(manner.name))
    }
    for (place, _) in Self.manners.enumerated() {
      try node.send([7, 70 + place], from: node.accounts[0], to: address(place))
    }
    let machine = try Machine.with(wallets)
    let run = try machine.run(["resync", "--json"] + Machine.allowing, timeout: 300, status: 50)
    let document = try run.json()
    let books = try machine.books()
    for (place, manner) in Self.manners.enumerated() {
      let outcome = try #require(document["wallets"]?[place])
      let kept = books.transactions(of: manner.name)
      guard let words = manner.words else {
        #expect(outcome["complete"] == .bool(true), "\(outcome)")
        books.expect(manner.name, isAs: try node.history(of: address(place)))
        continue
      }
      let sentence = "ethereum-rpc at \(try servers.url(manner.name)): \(words)"
      #expect(outcome["problems"] == .array([.string(sentence)]) && outcome["state"] == .string("failed"))
      #expect(run.errors.contains("warning: \(manner.name): \(sentence)"), "\(run.errors)")
      // Bad answers leave no data.
      #expect(kept.isEmpty && books.balance(of: manner.name) == nil)
    }
  }

  @Test func `a server that finds nothing of a wallet that had something changes nothing`() throws {
    let node = try EthereumNode.common.get()
    let servers = try FaultyServers(node)
    let own = address(100)
    try node.send([7], from: node.accounts[0], to: own)
    var wallet = node.wallet("Main", own, url: try servers.url("empty"))
    wallet.balance = "7"
    let machine = try Machine.with([wallet])
    let run = try machine.run(["resync"] + Machine.allowing, status: 50)
    let sentence =
      "warning: Main: \(try servers.url("empty")) finds nothing, but 7 was recorded before. That record is kept: "
      + "check that the endpoint serves the right network, or search from the first block with --from 0"
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(try machine.books().balance(of: "Main") == "7")
  }
}

/// Servers before a node, one for each manner; see Tests/Nodes/faulty_server.py.
struct FaultyServers {
  private let ports: JSONValue

  init(_ node: EthereumNode) throws {
    let companion = try Companion {
      [NodeAccess.python, "\(SourceTree.path)/Tests/Nodes/faulty_server.py", node.url, "\($0)/ports"]
    }
    ports = try JSONValue(parsing: Array(try companion.text(in: "ports").utf8))
  }

  func url(_ manner: String) throws -> String {
    "http://127.0.0.1:\(Int(try #require(ports[manner]?.number)))"
  }

  /// How often a server was asked.
  func asked(_ manner: String) throws -> Int {
    Int(try #require(try NodeAccess(url: "\(try url(manner))/asked").call("asked").number))
  }
}
