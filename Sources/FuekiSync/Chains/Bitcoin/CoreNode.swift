internal import FuekiWallet

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
