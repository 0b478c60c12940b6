internal import FuekiWallet

/// The user's own node of Bitcoin Core or a fork such as Litecoin's.
///
/// A node keeps no history of addresses except for its own wallets. It therefore gets a watch-only wallet
/// with a name of ours. Existing wallets are not touched.
package struct BitcoinCoreSource: ChainSource {
  private let node: CoreNode
  private let pace: Pace
  /// The limit of progress queries while the node scans the chain, one second apart.
  private let patience: Int

  /// Creates a source for the node at a URL.
  ///
  /// - Parameters:
  ///   - client: the client for requests.
  ///   - url: the node's URL, without a wallet's path.
  ///   - credential: the node's user and password.
  ///   - pace: the clock for waiting.
  ///   - patience: the limit in seconds for the node to scan the chain for a new wallet.
  package init(
    _ client: ServerClient, url: String, credential: EndpointCredential? = nil, pace: Pace = .system,
    patience: Int = 600
  ) {
    node = CoreNode(client, url: url, credential: credential)
    self.pace = pace
    self.patience = patience
  }

  /// Returns all data in the node's wallet for these scripts.
  public func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    let scripts = try WatchedScripts(query.wallet)
    try GenesisBlock.check(query.wallet, found: await node.blockHash(at: 0))
    let wallet = CoreWallet(node, scripts: scripts)
    let isOurs = try await wallet.open()
    var scan = CoreScan(node: node, wallet: wallet, scripts: scripts, query: query)
    do throws(SyncError) {
      let findings = try await findings(&scan)
      if isOurs, !scan.isReading { await wallet.close() }
      return findings
    } catch {
      if isOurs { await wallet.close() }
      throw error
    }
  }

  private func findings(_ scan: inout CoreScan) async throws(SyncError) -> WalletFindings {
    // Each round may find uses that require more indices.
    while try await scan.watchMore() {
      var waited = 0
      while case .reading(let part) = try await scan.wallet.progress() {
        guard waited < patience else { return try await scan.unfinished(part) }
        waited += 1
        do { try await pace.sleep(1) } catch { throw .cancelled }
      }
      try await scan.list()
    }
    return try await scan.findings()
  }
}

/// A node of Bitcoin Core or a fork, apart from its wallets.
struct CoreNode: Sendable {
  private let client: ServerClient
  private let url: String
  private let credential: EndpointCredential?
  /// The node's own methods.
  let rpc: JSONRPC
  /// The same, for methods that read the whole chain or all coins.
  let slow: JSONRPC

  /// The node's error code for an unknown transaction, block or address.
  static let notFound = -5
  /// The time limit for reading the whole chain.
  static let patience = Duration.seconds(600)

  init(_ client: ServerClient, url: String, credential: EndpointCredential?) {
    var base = url[...]
    while base.hasSuffix("/") { base.removeLast() }
    self.client = client
    self.url = String(base)
    self.credential = credential
    rpc = JSONRPC(client, url: self.url, credential: credential)
    slow = JSONRPC(client, url: self.url, credential: credential, deadline: Self.patience)
  }

  /// Returns the methods of one of the node's wallets.
  func wallet(_ name: String, deadline: Duration = .seconds(30)) -> JSONRPC {
    JSONRPC(client, url: "\(url)/wallet/\(name)", credential: credential, deadline: deadline)
  }

  /// Returns a method's answer.
  func ask(_ method: String, _ arguments: [JSONArgument] = []) async throws(SyncError) -> ServerAnswer {
    ServerAnswer(try await rpc.call(method, arguments), of: method)
  }

  /// The node's sync state.
  struct State: Sendable {
    let tip: Checkpoint
    /// Why blocks may be missing; nil if none are.
    let lag: FindingsGap?
  }

  func state() async throws(SyncError) -> State {
    let info = try await ask("getblockchaininfo")
    var tip = Checkpoint()
    tip.height = try info["blocks"].height
    let hash = try info["bestblockhash"].hash
    tip.hash = PackedText.pack(hash)
    tip.time = try await ask("getblockheader", [.string(hash)])["time"].time
    let headers = try info["headers"].height
    let isBehind = try info.optional("initialblockdownload")?.isTrue == true
    // A test chain may have no new block for long, and the node then considers itself behind.
    guard isBehind, headers > tip.height else { return State(tip: tip, lag: nil) }
    return State(tip: tip, lag: .lagging(height: tip.height, headers: headers))
  }

  func blockHash(at height: UInt64) async throws(SyncError) -> String {
    try await ask("getblockhash", [.number(height)]).hash
  }

  /// Whether a transaction is unconfirmed in the mempool.
  func isWaiting(_ id: String) async throws(SyncError) -> Bool {
    try await found { () throws(SyncError) in try await ask("getmempoolentry", [.string(id)]) } != nil
  }

  /// Returns the block at a height, if it contains a transaction.
  func block(at height: UInt64, with id: String) async throws(SyncError) -> Checkpoint? {
    let hash = try await blockHash(at: height)
    let block = try await ask("getblock", [.string(hash), 1])
    for other in try block["tx"].elements where try other.text == id {
      var place = Checkpoint()
      place.height = height
      place.hash = PackedText.pack(hash)
      place.time = try block["time"].time
      return place
    }
    return nil
  }

  /// Returns an answer, or nil if the node does not know the subject.
  func found<Answer>(
    _ question: () async throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer? {
    do throws(SyncError) {
      return try await question()
    } catch .server(code: Self.notFound, message: _) {
      return nil
    } catch {
      throw error
    }
  }
}

/// The first blocks of chains, which distinguish chains with identical address formats.
enum GenesisBlock {
  private static let known = [
    "bitcoin": "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    "bitcoin-testnet": "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
    "bitcoin-testnet4": "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
    "bitcoin-signet": "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
    "bitcoin-regtest": "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
    "litecoin": "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2",
    "litecoin-testnet": "4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0",
    "litecoin-regtest": "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
    "dogecoin": "1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691",
  ]

  /// Refuses a chain other than the wallet's, by the wallet's own hash or else its network's name.
  static func check(_ wallet: Wallet, found: String) throws(SyncError) {
    var expected = PackedText.text(wallet.genesisHash)?.lowercased() ?? ""
    if expected.hasPrefix("0x") { expected.removeFirst(2) }
    if expected.isEmpty { expected = hash(of: wallet.chainID) ?? "" }
    guard expected.isEmpty || expected == found else {
      throw .wrongChain(expected: name(expected), found: name(found))
    }
  }

  private static func hash(of chain: String) -> String? {
    if let hash = known[chain] ?? known["bitcoin-\(chain)"] { return hash }
    // This name covers several test networks with identical address formats.
    return BitcoinNetwork.named(chain).flatMap { $0.name == "bitcoin-testnet" ? nil : known[$0.name] }
  }

  private static func name(_ hash: String) -> String {
    known.first { $0.value == hash }?.key ?? "the chain that begins with \(hash)"
  }
}
