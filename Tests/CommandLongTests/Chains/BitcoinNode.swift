import TestSupport
import Testing

/// litecoind, a fork of Bitcoin Core with the same methods, on a chain of its own, and a server in Esplora's shape over
/// it.
struct BitcoinNode: Sendable {
  static let isInstalled = InstalledProgram.path("litecoind") != nil
  static let requirement: Comment = "this machine has no litecoind: .ci/setup tests"

  /// The server in Esplora's shape.
  let esplora: String
  /// The node's own methods, which want a user and a password.
  let url: String
  let access: NodeAccess
  /// Whose coins pay for everything.
  let miner: String

  init() throws {
    (url, access) = try Self.started(tries: 4)
    let front = try Companion { [access] _ in
      [NodeAccess.python, "-u", "\(SourceTree.path)/Tests/Nodes/esplora_front.py", access.url]
    }
    esplora = "http://127.0.0.1:\(try front.text(in: "output") { $0.hasSuffix("\n") })"
    let made = try access.call([#"["createwallet",["miner"]]"#, #"["getnewaddress",[]]"#])
    miner = try #require(made[1].text)
    try mine(101)
  }

  private static func started(tries: Int) throws -> (String, NodeAccess) {
    // Below the system's ports for connections. Another server may still have it.
    let port = Int.random(in: 11_000..<32_000)
    // Extension blocks are off: mining stops where they would begin.
    let node = try Companion { folder in
      [
        "/usr/bin/litecoind", "-regtest", "-datadir=\(folder)", "-server", "-txindex=1",
        "-fallbackfee=0.0001", "-vbparams=mweb:-2:0", "-rpcuser=u", "-rpcpassword=p", "-rpcport=\(port)",
        "-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1", "-listen=0", "-dnsseed=0", "-printtoconsole=1",
      ]
    }
    do {
      _ = try node.text(in: "output") { $0.contains("init message: Done loading") }
      return ("http://127.0.0.1:\(port)", NodeAccess(url: "http://u:p@127.0.0.1:\(port)"))
    } catch  where tries > 1 {
      return try started(tries: tries - 1)
    }
  }

  /// Mines blocks with all that waits.
  func mine(_ count: Int, to address: String? = nil) throws {
    try access.call("generatetoaddress", "\(count),\"\(address ?? miner)\"")
  }

  /// Mines blocks with these transactions and no others, one list a block.
  func mine(blocksWith transactions: [[String]]) throws {
    try access.call(
      transactions.map { names in
        #"["generateblock",["\#(miner)",[\#(names.map { "\"\($0)\"" }.joined(separator: ","))]]]"#
      })
  }

  /// Pays from the miner's coins, and returns the transactions' ids.
  @discardableResult
  func pay(_ payments: [(address: String, amount: String)]) throws -> [String] {
    try NodeAccess(url: "\(access.url)/wallet/miner").call(
      payments.map { #"["sendtoaddress",["\#($0.address)",\#($0.amount)]]"# }
    ).compactMap(\.text)
  }

  var height: Int {
    get throws { Int(try access.call("getblockcount").number ?? 0) }
  }

  /// A person whose keys the node has as well.
  func person(_ account: Int) throws -> BitcoinPerson { try BitcoinPerson(account, on: self) }
}

/// A person with keys that everybody knows: those of BIP-32's first test vector, each test with an account of its own.
struct BitcoinPerson {
  private static let privateKey =
    "tprv8ZgxMBicQKsPeDgjzdC36fs6bMjGApWDNLR9erAXMs5skhMv36j9MV5ecvfavji5khqjWaWSFhN3YcCUUdiKH6isR4Pwy3U5y5egddBr16m"
  private static let publicKey =
    "tpubD6NzVbkrYhZ4XgiXtGrdW5XDAPFCL9h7we1vwNCpn8tGbBcgfVYjXyhWo4E1xkh56hjod1RhGjxbaTLV3X4FyWuejifB9jusQ46QzG87VKp"

  let node: BitcoinNode
  /// Those that are given out, and those for change.
  let descriptors: [String]
  let addresses: [String]
  private let changeAddresses: [String]
  private let own: NodeAccess

  init(_ account: Int, on node: BitcoinNode) throws {
    self.node = node
    func checked(_ key: String) throws -> [String] {
      try (0...1).map { branch in
        let text = "wpkh(\(key)/\(account)/\(branch)/*)"
        let facts = try node.access.call("getdescriptorinfo", "\"\(text)\"")
        return "\(text)#\(try #require(facts["checksum"]?.text))"
      }
    }
    descriptors = try checked(Self.publicKey)
    let derived = try node.access.call(descriptors.map { #"["deriveaddresses",["\#($0)",[0,60]]]"# })
    addresses = derived[0].elements.compactMap(\.text)
    changeAddresses = derived[1].elements.compactMap(\.text)
    let requests = try checked(Self.privateKey).enumerated().map { branch, text in
      #"{"desc":"\#(text)","range":[0,60],"timestamp":0,"internal":\#(branch == 1)}"#
    }
    try node.access.call("createwallet", #""person \#(account)",false,true"#)
    own = NodeAccess(url: "\(node.access.url)/wallet/person%20\(account)")
    try own.call("importmulti", "[\(requests.joined(separator: ","))]")
  }

  /// Pays with the user's coins, and returns the transaction's id.
  func pay(_ address: String, _ amount: String, change index: Int) throws -> String {
    let plain = try node.access.call("createrawtransaction", #"[],[{"\#(address)":\#(amount)}]"#)
    let options = #"{"changeAddress":"\#(changeAddresses[index])","feeRate":0.0001}"#
    let funded = try own.call("fundrawtransaction", "\"\(try #require(plain.text))\",\(options)")
    let signed = try own.call(
      "signrawtransactionwithwallet", "\"\(try #require(funded["hex"]?.text))\"")
    let sent = try node.access.call("sendrawtransaction", "\"\(try #require(signed["hex"]?.text))\"")
    return try #require(sent.text)
  }

  /// The person's wallet, as a source of a kind is asked about it.
  func wallet(_ kind: String = "esplora", revealed: [String: Int] = [:]) -> ChainWallet {
    var wallet = ChainWallet(name: "Main", family: "bitcoin", chain: "litecoin-regtest")
    wallet.gap = 20
    wallet.descriptors = descriptors
    wallet.revealed = revealed
    wallet.endpoints = [[kind, kind == "esplora" ? node.esplora : node.url]]
    return wallet
  }

  /// Returns the user's balance on the chain, from the node's scan of all unspent outputs.
  func unspent() throws -> String {
    let scan = descriptors.map { #"{"desc":"\#($0)","range":100}"# }
    let found = try node.access.call("scantxoutset", #""start",[\#(scan.joined(separator: ","))]"#)
    return String(try Self.units(found["total_amount"]))
  }

  /// Every transaction of the person's on the chain or waiting, by its id: how the balance changed, and in which block.
  func history() throws -> [String: [Int?]] {
    let listed = try own.call("listtransactions", #""*",10000,0,true"#)
    let ids = Set(listed.elements.compactMap { $0["txid"]?.text }).sorted()
    let facts = try own.call(ids.map { #"["gettransaction",["\#($0)"]]"# })
    var history: [String: [Int?]] = [:]
    for (id, fact) in zip(ids, facts) {
      let isOrphan = fact["details"]?.elements.contains { $0["category"]?.text == "orphan" } ?? false
      guard fact["confirmations"]?.number ?? -1 >= 0, !isOrphan else { continue }
      let net = try Self.units(fact["amount"]) + (fact["fee"].map(Self.units) ?? 0)
      history[id] = [net, fact["blockheight"]?.number.map { Int($0) }]
    }
    return history
  }

  /// The same as a store has it.
  func history(in books: Books) throws -> [String: [Int?]] {
    let own = Set(addresses + changeAddresses)
    var history: [String: [Int?]] = [:]
    for row in books.transactions(of: "Main") where row["status"]?.text != "dropped" {
      let amount = try #require(row["amount"]?.text.flatMap { Int($0) })
      let fee = row["fee"]?.text.flatMap { Int($0) } ?? 0
      let isOutgoing = own.contains(row["from_address"]?.text ?? "")
      history[row["hash"]?.text ?? ""] = [
        isOutgoing ? -amount - fee : amount, row["block"]?.number.map { Int($0) },
      ]
    }
    return history
  }

  /// Coins with eight decimals, in the smallest unit.
  private static func units(_ coins: JSONValue?) throws -> Int {
    let text = try #require(coins?.text)
    let parts = text.split(separator: ".")
    return try #require(parts.count == 2 && parts[1].count == 8 ? Int(parts[0] + parts[1]) : nil)
  }
}
