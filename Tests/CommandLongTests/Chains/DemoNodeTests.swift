import TestSupport
import Testing

/// `demo --node`, whose last step asks a real node.
@Suite(.enabled(if: EthereumNode.python != nil, EthereumNode.requirement))
struct DemoNodeTests {
  @Test func `the demonstration ends with what the node has`() throws {
    // All other accounts are paid from its first one.
    let node = try EthereumNode()
    let other = "0x" + String(repeating: "de", count: 20)
    try node.send([1, 2], from: node.accounts[0], to: other)
    // More than the archive's age and a reorganisation's margin.
    try node.mine(220)
    try node.send([3, 4, 5], from: node.accounts[0], to: other)
    let machine = try Machine(isPrepared: false)
    let run = try machine.run(
      ["demo", "--node", node.url, "--transactions", "20", "--keep", machine.path("demo")], timeout: 180,
      status: 0)
    #expect(run.text.contains("every record is equal: wallets 4"), "\(run.text)")
    let chain = try node.history(of: node.accounts[0])
    let (balance, height) = (try #require(chain["balance"]?.text), try #require(chain["height"]?.number))
    let last = "Coins on the node (evm:1337): balance \(balance), block \(Int(height)), 3 new"
    #expect(run.text.contains(last), "\(run.text)")
    // Nothing was sent with its keys.
    #expect(chain["nonce"] == .number(5))
  }

  @Test func `a node that does not answer, or is none, is told before anything is made`() throws {
    let machine = try Machine(isPrepared: false)
    let run = try machine.run(
      ["demo", "--node", "http://127.0.0.1:9/key", "--keep", machine.path("demo")], status: 1)
    #expect(run.errors.contains("error: the node at http://127.0.0.1:9: no connection"), "\(run.errors)")
    #expect(!run.errors.contains("/key") && run.errors.contains("hint: --node takes the URL"))
    #expect(try machine.run(["demo", "--node", "node.toml", "--json"]).status == 1)
  }
}
