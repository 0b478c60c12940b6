import TestSupport
import Testing

/// py-evm, a real chain of Ethereum's family.
struct EthereumNode: Sendable {
  static let python = InstalledProgram.python(with: "eth_tester", "web3", "eth")
  static let requirement: Comment = "this machine has no py-evm (web3[tester]): .ci/setup tests"

  /// For tests that leave each other's accounts alone.
  static let common = Result { try EthereumNode() }

  let url: String
  let access: NodeAccess
  /// Accounts with 1,000,000 ether each, whose keys the node has.
  let accounts: [String]

  init() throws {
    let python = try #require(Self.python)
    let companion = try Companion {
      [python, "\(SourceTree.path)/Tests/Nodes/evm_node.py", "1337", "\($0)/port"]
    }
    url = "http://127.0.0.1:\(try companion.text(in: "port"))"
    access = NodeAccess(url: url)
    accounts = try access.call("eth_accounts").elements.compactMap { $0.text?.lowercased() }
  }

  /// Mines empty blocks.
  func mine(_ count: Int) throws { try access.call("evm_mine_many", "\(count)") }

  /// Sends coins, each payment in a block of its own, and returns the transactions' hashes.
  @discardableResult
  func send(_ values: [Int], from: String, to: String) throws -> [String] {
    let questions = values.map {
      #"["eth_sendTransaction",[{"from":"\#(from)","to":"\#(to)","value":"\#(Self.hex($0))","gas":"0x5208"}]]"#
    }
    return try access.call(questions).compactMap(\.text)
  }

  /// Puts a token on the chain, owned by the first account, and returns its address.
  func deployToken() throws -> String {
    let code = try TextFile.read("\(SourceTree.path)/Tests/Nodes/erc20.hex")
    let hash = try access.call(
      "eth_sendTransaction", #"{"from":"\#(accounts[0])","gas":"0x2dc6c0","data":"\#(code)"}"#)
    let receipt = try access.call("eth_getTransactionReceipt", "\"\(try #require(hash.text))\"")
    return try #require(receipt["contractAddress"]?.text).lowercased()
  }

  /// Sends tokens, and returns the transaction's hash.
  @discardableResult
  func send(tokens: Int, of token: String, from: String, to: String) throws -> String {
    let amount = Self.hex(tokens).dropFirst(2)
    let data =
      "0xa9059cbb" + String(repeating: "0", count: 24) + to.dropFirst(2)
      + String(repeating: "0", count: 64 - amount.count) + amount
    let hash = try access.call(
      "eth_sendTransaction", #"{"from":"\#(from)","to":"\#(token)","gas":"0x30d40","data":"\#(data)"}"#)
    return try #require(hash.text)
  }

  /// Returns an account's history on the chain, by reading every block.
  func history(of address: String, tokens: [String] = []) throws -> JSONValue {
    let run = try BuiltBinary.run(
      program: NodeAccess.python, [NodeAccess.script, url, "history", address] + tokens)
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
    return try run.json()
  }

  /// Returns a wallet of one account, with this node as its endpoint.
  func wallet(_ name: String, _ address: String, url: String? = nil) -> ChainWallet {
    ChainWallet(name: name, address: address, endpoints: [["ethereum-rpc", url ?? self.url]])
  }

  static func hex(_ number: Int) -> String { "0x" + String(number, radix: 16) }
}
