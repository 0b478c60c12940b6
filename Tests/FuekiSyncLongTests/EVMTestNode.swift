import FoundationEssentials
import FuekiSync
import FuekiSystem
import FuekiWallet
import Glibc
import Synchronization
import TestSupport
import Testing

/// A local py-evm node, which is a real Ethereum chain, for tests that run one after the other.
struct EVMTestNode: Sendable {
  /// The message about a test's missing requirement.
  static let requirement: Testing.Comment = "py-evm (web3[tester]) is not on this machine: .ci/setup tests"

  static let python = InstalledProgram.python(with: "eth_tester", "web3", "eth")

  let url: String
  /// Accounts with 1,000,000 ether each.
  private(set) var accounts: [String] = []
  private let rpc: JSONRPC

  /// Where the nodes keep their files; removed when the tests end, and the nodes end with it.
  private static let root: String = {
    atexit { _ = try? BuiltBinary.run(program: "/bin/rm", ["-rf", root]) }
    return "\(Environment.get("TMPDIR") ?? "/tmp")/fueki-chains-\(UInt64.random(in: .min ... .max))"
  }()
  private static let nodes = Mutex<[UInt64: EVMTestNode]>([:])

  /// Runs a test on a chain that has only its first block.
  ///
  /// A node takes seconds to start, so the tests, which run one after the other, share one, and each undoes its blocks.
  static func run<Result>(
    chain: UInt64 = 1337, _ test: (EVMTestNode) async throws -> Result
  ) async throws -> Result {
    let node: EVMTestNode
    if let known = nodes.withLock({ $0[chain] }) {
      node = known
    } else {
      let new = try await start(chain)
      nodes.withLock { $0[chain] = new }
      node = new
    }
    let snapshot = try #require(try await node.call("evm_snapshot").string)
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await test(node)) } catch { outcome = .failure(error) }
    try await node.call("evm_revert", [.string(snapshot)])
    return try outcome.get()
  }

  private static func start(_ chain: UInt64) async throws -> EVMTestNode {
    let folder = "\(root)/\(chain)"
    try Directory.makePrivateDirectories(folder)
    let python = try #require(python)
    let log = try Directory.open(folder).createFile("log")
    let nothing = try File.open("/dev/null")
    var command = ChildCommand(
      executable: python,
      arguments: [python, "\(SourceTree.path)/Tests/Nodes/evm_node.py", "\(chain)", "\(folder)/port"],
      environment: [Array("PATH=/usr/bin:/bin".utf8)])
    command.streams = (nothing.descriptor, log.descriptor, log.descriptor)
    _ = try command.start()
    var port: String?
    for _ in 0..<2400 where port == nil {
      try await Task.sleep(for: .milliseconds(50))
      let text = try? File.open("\(folder)/port").readAll(limit: 100)
      port = text.map { String(decoding: $0, as: UTF8.self) }
    }
    var node = EVMTestNode(url: "http://127.0.0.1:\(try #require(port))")
    node.accounts = try await Array(node.call("eth_accounts").children).compactMap(\.string)
    return node
  }

  private init(url: String) {
    self.url = url
    rpc = JSONRPC(ServerClient(transport: CurlTransport()), url: url)
  }

  @discardableResult
  func call(_ method: String, _ arguments: [JSONArgument] = []) async throws -> JSONValue {
    try await rpc.call(method, arguments)
  }

  /// Mines empty blocks.
  func mine(_ count: Int) async throws { try await call("evm_mine_many", [.number(count)]) }

  var height: UInt64 {
    get async throws { try number(await call("eth_blockNumber")) }
  }

  /// Sends coins in a transaction that is mined in a separate block.
  @discardableResult
  func send(_ value: UInt64, from: Int, to address: String) async throws -> String {
    try await transact([
      "from": .string(accounts[from]), "to": .string(address), "value": .string(hex(value)), "gas": "0x5208",
    ])
  }

  /// Deploys a token whose whole supply the first account owns.
  func deployToken() async throws -> String {
    let code = try File.open("\(SourceTree.path)/Tests/Nodes/erc20.hex").readAll(limit: 1 << 20)
    let hash = try await transact([
      "from": .string(accounts[0]), "gas": "0x2dc6c0",
      "data": .string(String(decoding: code, as: UTF8.self).trimmed),
    ])
    let receipt = try await call("eth_getTransactionReceipt", [.string(hash)])
    return try #require(receipt.member("contractAddress")?.string)
  }

  /// Sends tokens.
  @discardableResult
  func send(tokens: UInt64, of contract: String, from: Int, to address: String) async throws -> String {
    let amount = String(tokens, radix: 16)
    return try await transact([
      "from": .string(accounts[from]), "to": .string(contract), "gas": "0x30d40",
      "data": .string(
        "0xa9059cbb" + Self.word(address) + String(repeating: "0", count: 64 - amount.count) + amount),
    ])
  }

  func tokens(of contract: String, at address: String) async throws -> String {
    let call: JSONArgument = ["to": .string(contract), "data": .string("0x70a08231" + Self.word(address))]
    return String(try number(await self.call("eth_call", [call, "latest"])))
  }

  func balance(_ address: String) async throws -> String {
    // An amount of more than 64 bits.
    let text = try #require(await call("eth_getBalance", [.string(address), "latest"]).string)
    return text.dropFirst(2).reduce(Amount(0)) { sum, digit in
      Amount.sum(Array(repeating: sum, count: 16)) + Amount(digit.hexDigitValue ?? 0)
    }.canonicalText
  }

  /// Returns every transaction from or to an address, found by reading all blocks.
  func history(of address: String) async throws -> Set<String> {
    var hashes: Set<String> = []
    for height in 0...(try await height) {
      let block = try await call("eth_getBlockByNumber", [.string(hex(height)), true])
      for transaction in try #require(block.member("transactions")).children {
        let parties = ["from", "to"].map { transaction.member($0)?.string?.lowercased() }
        if parties.contains(address.lowercased()) {
          hashes.insert(try #require(transaction.member("hash")?.string))
        }
      }
    }
    return hashes
  }

  /// Injects a fault into the next calls, of one method or of all.
  func fault(_ kind: String, times: Int = 1, method: String? = nil, seconds: Int = 0, status: Int = 503)
    async throws
  {
    var fault: [(name: String, value: JSONArgument)] = [
      ("kind", .string(kind)), ("times", .number(times)), ("seconds", .number(seconds)),
      ("status", .number(status)),
    ]
    if let method { fault.append(("method", .string(method))) }
    try await call("test_fault", [.object(fault)])
  }

  /// Returns the number of requests by method.
  func requests() async throws -> [String: Int] {
    let counts = try await call("test_requests")
    return Dictionary(uniqueKeysWithValues: counts.children.map { ($0.name, Int($0.number ?? "") ?? 0) })
  }

  private func transact(_ transaction: JSONArgument) async throws -> String {
    try #require(await call("eth_sendTransaction", [transaction]).string)
  }

  private func number(_ value: JSONValue) throws -> UInt64 {
    try #require(value.string.flatMap { UInt64($0.dropFirst(2), radix: 16) })
  }

  private func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

  private static func word(_ address: String) -> String {
    String(repeating: "0", count: 24) + address.dropFirst(2).lowercased()
  }
}

extension String {
  fileprivate var trimmed: String { String(prefix { !$0.isWhitespace }) }
}
