import TestSupport
import Testing

/// Old archives of a wallet of Bitcoin's family, restored on a new machine while the chain went on.
@Suite(
  .serialized, .enabled(if: BitcoinNode.isInstalled, BitcoinNode.requirement),
  .enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct BitcoinRestoreTests {
  private static let chain = Result { try BitcoinNode() }

  /// A configuration with the node's user and password, as a new machine needs it too.
  private func configure(_ machine: Machine, _ node: BitcoinNode) throws {
    try machine.write("u:p", to: "node.key")
    try machine.write(
      """
      [[endpoint]]
      kind = "bitcoin-rpc"
      chain = "litecoin-regtest"
      url = "\(node.url)"
      priority = 9
      credential_form = "basic"
      credential_file = "\(machine.path("node.key"))"

      """, to: "config.toml")
  }

  @Test func `an archive that is 200 blocks old ends with the chain's balance and history`() throws {
    let node = try Self.chain.get()
    let person = try node.person(0)
    try node.pay((0..<3).map { (person.addresses[$0], "1.\($0)0000001") })
    try node.mine(1)
    let old = try Machine.with([person.wallet()])
    try old.resync()
    #expect(try old.books().balance(of: "Main") == (try person.unspent()))
    try old.backUp()

    let height = try node.height
    for round in 0..<5 {
      try node.pay([(person.addresses[5 + round], "0.1000\(1000 + round)")])
      try node.mine(20)
      _ = try person.pay(node.miner, "0.05", change: round)
      try node.mine(20)
    }
    try #require(try node.height == height + 200)
    let new = try old.successor()
    let run = try new.restoreNewest(["--json"]).expect(0)
    #expect(try run.json()["resync"] == .string("1 wallet is up to date"))
    let books = try new.books()
    #expect(books.balance(of: "Main") == (try person.unspent()))
    #expect(try person.history(in: books) == (try person.history()))
    #expect(try new.resync()["wallets"]?[0]?["added"] == .number(0))
    #expect(try new.books().json == books.json)
  }

  @Test(arguments: ["esplora", "bitcoin-rpc"])
  func `a reorganisation of three blocks after the backup is followed`(kind: String) throws {
    let node = try Self.chain.get()
    let person = try node.person(kind == "esplora" ? 1 : 2)
    try node.pay([(person.addresses[0], "2.00000000")])
    try node.mine(1)
    let fork = try node.height + 1
    let moved = try node.pay([(person.addresses[1], "0.11000000")])[0]
    try node.mine(1)
    // From a coin that the other chain has as well.
    let waiting = try person.pay(node.miner, "0.22", change: 0)
    try node.mine(1)
    try node.mine(1, to: person.addresses[3])
    let old = try Machine.with([person.wallet(kind)])
    try configure(old, node)
    try old.resync(["--config", old.path("config.toml")])
    let reward = try #require(
      try old.books().transactions(of: "Main").first { $0["block"] == .number(Double(fork + 2)) })
    try old.backUp()

    let hash = try #require(try node.access.call("getblockhash", "\(fork)").text)
    try node.access.call("invalidateblock", "\"\(hash)\"")
    try node.mine(blocksWith: [[], [], [moved], []])
    let new = try old.successor()
    try configure(new, node)
    try new.restoreNewest(["--config", new.path("config.toml")]).expect(0)
    let books = try new.books()
    #expect(books.transactions(of: "Main").count == 4)
    #expect(books.transaction(moved)?["block"] == .number(Double(fork + 2)))
    #expect(books.transaction(waiting)?["status"] == .string("pending"))
    let gone = books.transaction(reward["hash"]?.text ?? "")
    #expect(gone?["status"] == .string("dropped") && gone?["amount"] == reward["amount"])
    #expect(try person.history(in: books) == (try person.history()))

    // A block finally has the waiting transaction.
    try node.mine(1)
    try new.resync(["--config", new.path("config.toml")])
    let settled = try new.books()
    #expect(settled.balance(of: "Main") == (try person.unspent()))
    #expect(try person.history(in: settled) == (try person.history()))
  }

  @Test func `coins at index 45 are found with a gap limit of 20, for the archive knows how far it went`()
    throws
  {
    let node = try Self.chain.get()
    let person = try node.person(3)
    try node.pay([0, 1, 2, 5].map { (person.addresses[$0], "0.50000000") })
    try node.mine(1)
    let old = try Machine.with([person.wallet(revealed: ["external": 45, "internal": 0])])
    try old.backUp()
    // The wallet that is lost had given this address out; the payment came after the backup.
    try node.pay([(person.addresses[45], "0.50000000")])
    try node.mine(3)
    let new = try old.successor()
    #expect(try new.restoreNewest().status == 0)
    let books = try new.books()
    #expect(books.balance(of: "Main") == "250000000")
    #expect(books.balance(of: "Main") == (try person.unspent()))
    #expect(try person.history(in: books) == (try person.history()))

    // A wallet without that knowledge has less, and gets advice if it had more.
    let forgetful = try Machine.with([person.wallet()])
    try forgetful.resync()
    #expect(try forgetful.books().balance(of: "Main") == "200000000")
  }

  @Test func `nothing found where the archive recorded a balance is a warning with its remedy`() throws {
    let node = try Self.chain.get()
    let person = try node.person(4)
    try node.pay([(person.addresses[45], "0.50000000")])
    try node.mine(1)
    var wallet = person.wallet()
    wallet.balance = "50000000"
    let old = try Machine.with([wallet])
    try old.backUp()
    let new = try old.successor()
    let run = try new.restoreNewest().expect(50)
    let sentence =
      "warning: Main: \(node.esplora) finds nothing, but 50000000 was recorded before. That record is kept: "
      + "raise the wallet's gap limit, search from the first block with --from 0, or use another endpoint"
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(run.text.contains("resync: incomplete for 1 of 1 wallet"), "\(run.text)")
    #expect(try new.books().balance(of: "Main") == "50000000")
    // The first remedy is one.
    try Wallets.edit(new, "data", "UPDATE wallets SET gap_limit = 50")
    try new.resync()
    #expect(try new.books().transactions(of: "Main").count == 1)
  }
}
