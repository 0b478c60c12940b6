internal import FuekiWallet

/// A node of Bitcoin Core or of one of its forks, as far as it is no wallet.
struct CoreNode: Sendable {
  private let client: ServerClient
  private let url: String
  private let credential: EndpointCredential?
  /// The node's own methods.
  let rpc: JSONRPC
  /// The same, for methods that read the whole chain or all coins.
  let slow: JSONRPC

  /// What the node said when it does not know a transaction, a block or an address.
  static let notFound = -5
  /// How long reading the whole chain may keep one waiting.
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

  /// The methods of one of the node's wallets.
  func wallet(_ name: String, deadline: Duration = .seconds(30)) -> JSONRPC {
    JSONRPC(client, url: "\(url)/wallet/\(name)", credential: credential, deadline: deadline)
  }

  /// A method's answer.
  func ask(_ method: String, _ arguments: [JSONArgument] = []) async throws(SyncError) -> ServerAnswer {
    ServerAnswer(try await rpc.call(method, arguments), of: method)
  }

  /// How far the node has come.
  struct State: Sendable {
    let tip: Checkpoint
    /// Why blocks may be missing; nil where none are.
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
    // On a test's chain no block comes for long, and the node takes itself for one that is behind.
    guard isBehind, headers > tip.height else { return State(tip: tip, lag: nil) }
    return State(tip: tip, lag: .lagging(height: tip.height, headers: headers))
  }

  func blockHash(at height: UInt64) async throws(SyncError) -> String {
    try await ask("getblockhash", [.number(height)]).hash
  }

  /// Whether a transaction waits to be mined.
  func isWaiting(_ id: String) async throws(SyncError) -> Bool {
    try await found { () throws(SyncError) in try await ask("getmempoolentry", [.string(id)]) } != nil
  }

  /// The block with a height, where it holds a transaction.
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

  /// What a question gives, or nil where the node does not know what it is about.
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
