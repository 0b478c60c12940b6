import FuekiCrypto
import FuekiSync
import FuekiSystem
import FuekiWallet
import Glibc
import TestSupport

/// A node of Litecoin, a fork of Bitcoin Core with the same methods, on a private chain.
///
/// Extension blocks are off, because mining stops at their activation.
struct LitecoinNode: Sendable {
  enum Problem: Error {
    case didNotStart
    case noAnswer(String)
  }

  static let isInstalled = InstalledProgram.path("litecoind") != nil

  let url: String
  let client: ServerClient
  /// The node's address, which receives the mining rewards and pays for everything.
  private(set) var miner = ""

  private init(_ place: (host: String, port: Int)) {
    url = "http://\(place.host):\(place.port)"
    client = ServerClient(transport: CurlTransport())
  }

  static var credential: EndpointCredential {
    get throws {
      let text = Array("u:p".utf8)
      return EndpointCredential(.basic, secret: SharedSecret(try SecretBytes(copying: text.span)))
    }
  }

  /// Runs a node during a test.
  ///
  /// It has 101 blocks, so that one reward is spendable.
  static func run<Result>(_ test: (LitecoinNode) async throws -> Result) async throws -> Result {
    for _ in 0..<3 {
      let scratch = try TemporaryDirectory()
      var node = LitecoinNode(Loopback.place())
      let process = try node.start(in: scratch.path)
      defer { Companion.end(process) }
      guard try await node.isReady() else { continue }
      _ = try await node.call("createwallet", ["miner"])
      node.miner = try await node.text("getnewaddress", [], wallet: "miner")
      try await node.mine(101)
      return try await test(node)
    }
    throw Problem.didNotStart
  }

  private func start(in folder: String) throws -> Int32 {
    let place = url.dropFirst("http://".count).split(separator: ":")
    return try Companion.start(
      "/usr/bin/litecoind",
      [
        "-regtest", "-datadir=\(folder)", "-server", "-txindex=1", "-fallbackfee=0.0001",
        "-vbparams=mweb:-2:0", "-rpcuser=u", "-rpcpassword=p", "-rpcport=\(place[1])",
        "-rpcbind=\(place[0])", "-rpcallowip=127.0.0.0/8", "-listen=0", "-dnsseed=0", "-printtoconsole=0",
      ], output: "node", in: folder)
  }

  private func isReady() async throws -> Bool {
    let impatient = ServerClient(transport: CurlTransport(), tries: 1)
    let rpc = JSONRPC(impatient, url: url, credential: try Self.credential)
    for _ in 0..<1200 {
      if (try? await rpc.call("getblockcount")) != nil { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  @discardableResult
  func call(_ method: String, _ arguments: [JSONArgument] = [], wallet: String? = nil) async throws
    -> JSONValue
  {
    let path = wallet.map { "/wallet/\($0)" } ?? ""
    return try await JSONRPC(client, url: url + path, credential: Self.credential).call(method, arguments)
  }

  func text(_ method: String, _ arguments: [JSONArgument] = [], wallet: String? = nil) async throws -> String
  {
    guard let text = try await call(method, arguments, wallet: wallet).string else {
      throw Problem.noAnswer(method)
    }
    return text
  }

  func number(_ method: String, _ arguments: [JSONArgument] = [], wallet: String? = nil) async throws
    -> String
  {
    guard let number = try await call(method, arguments, wallet: wallet).number else {
      throw Problem.noAnswer(method)
    }
    return number
  }

  /// Mines blocks with all unconfirmed transactions.
  func mine(_ count: Int, to address: String? = nil) async throws {
    try await call("generatetoaddress", [.number(count), .string(address ?? miner)])
  }

  /// Mines one block with exactly these transactions.
  func mineBlock(with transactions: [String]) async throws {
    try await call("generateblock", [.string(miner), .array(transactions.map { .string($0) })])
  }

  /// Pays from the miner's coins, and returns the transaction's id.
  func pay(_ address: String, _ amount: String) async throws -> String {
    try await text("sendtoaddress", [.string(address), .number(amount)], wallet: "miner")
  }

  func blockHash(at height: Int) async throws -> String {
    try await text("getblockhash", [.number(height)])
  }

  var height: Int {
    get async throws { Int(try await number("getblockcount")) ?? 0 }
  }

  /// Converts an amount of coins to the smallest unit, exactly.
  static func units(_ coins: String) -> String? {
    Amount(coins)?.multiplied(byPowerOfTen: 8).canonicalText
  }
}

/// A background program for the duration of a test.
enum Companion {
  static func start(
    _ program: String, _ arguments: [String], output name: String, in folder: String
  ) throws -> Int32 {
    let input = try File.open("/dev/null")
    let directory = try Directory.open(folder)
    let output = try directory.createFile("\(name).output")
    let errors = try directory.createFile("\(name).errors")
    var command = ChildCommand(
      executable: program, arguments: [program] + arguments,
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=\(folder)"].map { Array($0.utf8) })
    command.streams = (input.descriptor, output.descriptor, errors.descriptor)
    return try command.start()
  }

  static func end(_ process: Int32) {
    _ = kill(process, SIGKILL)
    _ = try? ChildEnding.wait(for: process)
  }
}

/// A server in Esplora's form over a node.
///
/// See Tests/Nodes/esplora_front.py.
enum EsploraFront {
  static func run<Result>(
    over node: LitecoinNode, pageLength: Int = 25, _ test: (String) async throws -> Result
  ) async throws -> Result {
    let scratch = try TemporaryDirectory()
    let process = try Companion.start(
      "/usr/bin/python3",
      [
        "\(SourceTree.path)/Tests/Nodes/esplora_front.py",
        node.url.replacingScheme(with: "http://u:p@"), "--page", String(pageLength),
      ], output: "front", in: scratch.path)
    defer { Companion.end(process) }
    for _ in 0..<1200 {
      let printed = String(decoding: try scratch.read("front.output"), as: UTF8.self)
      if printed.hasSuffix("\n"), let port = Int(printed.dropLast()) {
        return try await test("http://127.0.0.1:\(port)")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw LitecoinNode.Problem.didNotStart
  }
}

extension String {
  fileprivate func replacingScheme(with text: String) -> String {
    text + dropFirst("http://".count)
  }
}
