import TestSupport
import Testing

/// Old archives, restored on a new machine while the chain went on: afterwards the store has what the node has.
@Suite(
  .serialized, .enabled(if: EthereumNode.python != nil, EthereumNode.requirement),
  .enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct EthereumRestoreTests {
  /// A chain of its own, for its blocks are taken back.
  private static let chain = Result { try EthereumNode() }
  private static let stranger = "0x1111111111111111111111111111111111111111"

  @Test func `an archive that is 200 blocks old ends with the chain's balances, history and tokens`() throws {
    let node = try Self.chain.get()
    let own = node.accounts[1]
    let old = try Machine.with([node.wallet("Main", own)])
    try node.send([1000, 2000, 3000], from: node.accounts[0], to: own)
    try node.send([77], from: own, to: Self.stranger)
    try old.resync()
    #expect(try old.books().transactions(of: "Main").count == 4)
    try old.backUp()

    let token = try node.deployToken()
    try node.mine(90)
    try node.send([5], from: own, to: Self.stranger)
    try node.mine(60)
    let received = try node.send(tokens: 12_345, of: token, from: node.accounts[0], to: own)
    try node.send(tokens: 45, of: token, from: own, to: Self.stranger)
    try node.mine(48)
    try node.send([123_456_789], from: node.accounts[2], to: own)

    let new = try old.successor()
    let run = try new.restoreNewest(["--json"]).expect(0)
    let json = try run.json()
    #expect(json["resync"] == .string("1 wallet is up to date"))
    let books = try new.books()
    books.expect("Main", isAs: try node.history(of: own, tokens: [token]))
    #expect(books.transaction(received)?["amount"] == .string("12345"))
    // The archive's records exist only once, and no work remains.
    let again = try new.resync()
    #expect(again["wallets"]?[0]?["added"] == .number(0) && again["wallets"]?[0]?["updated"] == .number(0))
    #expect(try new.books().json == books.json)
  }

  @Test func `a reorganisation of three blocks after the backup is followed by restore and resync`() throws {
    let node = try Self.chain.get()
    let (own, payer) = (node.accounts[3], node.accounts[4])
    let old = try Machine.with([node.wallet("Main", own)])
    try node.send([1], from: payer, to: own)
    let snapshot = try #require(try node.access.call("evm_snapshot").text)
    let lost = try node.send([1000], from: payer, to: own)[0]
    let moved = try node.send([2000], from: node.accounts[5], to: own)[0]
    try node.mine(1)
    try old.resync()
    try old.backUp()

    try node.access.call("evm_revert", "\"\(snapshot)\"")
    try node.mine(2)
    try #require(try node.send([2000], from: node.accounts[5], to: own) == [moved])
    let other = try node.send([3000], from: payer, to: own)[0]
    try node.mine(4)
    let new = try old.successor()
    #expect(try new.restoreNewest(["--no-resync"]).status == 0)
    #expect(try new.books().transaction(lost)?["status"] == .string("confirmed"))
    let run = try new.run(["resync"] + Machine.allowing)
    #expect(run.status == 0 && run.text.contains("1 new, 1 changed, 1 dropped"), "\(run.text) \(run.errors)")
    let books = try new.books()
    books.expect("Main", isAs: try node.history(of: own))
    let gone = books.transaction(lost)
    #expect(gone?["status"] == .string("dropped") && gone?["amount"] == .string("1000"))
    #expect(gone?["block"] == .null && books.transaction(other)?["status"] == .string("confirmed"))
  }

  @Test func `of five wallets one has a dead endpoint, and the other four are right`() throws {
    let node = try Self.chain.get()
    let own = Array(node.accounts[5..<10])
    let names = (1...5).map { "Wallet \($0)" }
    // Without a listener there. The old machine's configuration has another server, the new one's does not.
    let old = try Machine.with(
      zip(names, own).map { node.wallet($0, $1, url: $0 == names[2] ? "http://127.0.0.1:9" : nil) })
    try old.write(
      "[[endpoint]]\nkind = \"ethereum-rpc\"\nurl = \"\(node.url)\"\npriority = 9\n", to: "config.toml")
    for address in own { try node.send([500], from: node.accounts[0], to: address) }
    let before = try old.resync(["--config", old.path("config.toml")])
    let warnings = before["wallets"]?[2]?["warnings"]?.elements.compactMap(\.text) ?? []
    #expect(warnings.contains { $0.hasPrefix("ethereum-rpc at http://127.0.0.1:9: no connection") })
    try old.backUp()
    for address in own { try node.send([70, 7], from: address, to: Self.stranger) }
    try node.mine(20)

    let new = try old.successor()
    let run = try new.restoreNewest().expect(50)
    let told = run.text + run.errors
    #expect(told.contains("resync: incomplete for 1 of 5 wallets"), "\(told)")
    #expect(told.contains("Wallet 3: ethereum-rpc at http://127.0.0.1:9: no connection"), "\(told)")
    #expect(told.contains("NOT NEW: as known"), "\(told)")
    for name in names where name != names[2] { #expect(!told.contains("\(name): "), "\(told)") }
    let books = try new.books()
    for (name, address) in zip(names, own) where name != names[2] {
      books.expect(name, isAs: try node.history(of: address))
    }
    // The restored records of the fifth are unchanged.
    #expect(books.balance(of: names[2]) == (try old.books().balance(of: names[2])))
    #expect(books.transactions(of: names[2]) == (try old.books().transactions(of: names[2])))
    // A later resync reports the same.
    let document = try new.resync(status: 50)
    #expect(document["complete"] == .bool(false))
    #expect(document["wallets"]?.elements.filter { $0["complete"] == .bool(true) }.count == 4)
  }
}
