internal import FuekiCrypto
internal import FuekiWallet

/// A watch-only wallet of ours in a node, for the scripts of one of the user's wallets.
///
/// The node keeps it, so that the chain is scanned only once. It is loaded only while in use, because a node
/// answers requests without a wallet name only if a single wallet is loaded.
struct CoreWallet: Sendable {
  /// A descriptor to watch, and the number of its scripts.
  struct Watched: Sendable {
    let descriptor: Descriptor
    /// The number of indices from 0; nil for a descriptor of one script.
    let count: Int?
    /// The last script's address, which is labelled after the chain was scanned for all of them.
    let lastAddress: String?
  }

  /// The progress of a node's scan of the chain.
  enum Progress: Sendable {
    case done
    /// In progress, with the node's own fraction from 0 to 1.
    case reading(String)
  }

  let node: CoreNode
  let name: String
  let bounds: CoinBounds
  private let rpc: JSONRPC
  private let slow: JSONRPC

  /// The label of an address after the chain was scanned for all scripts up to it.
  ///
  /// Without it, an interrupted scan would be mistaken for one without results.
  private static let mark = "fueki-backup: chain read"
  private static let notLoaded = -18

  /// Creates the wallet for these scripts.
  ///
  /// Its name is derived from them, so that it is found again.
  init(_ node: CoreNode, scripts: WatchedScripts) {
    let texts = scripts.keychains.map(\.descriptor.expression) + scripts.single.map(\.hex)
    let digest = SHA256.hash(Array(texts.joined(separator: "\n").utf8))
    name = "fueki-backup-\(digest.hex.prefix(16))"
    self.node = node
    bounds = CoinBounds(of: scripts.network)
    rpc = node.wallet(name)
    slow = node.wallet(name, deadline: CoreNode.patience)
  }

  func ask(_ method: String, _ arguments: [JSONArgument] = []) async throws(SyncError) -> ServerAnswer {
    ServerAnswer(try await rpc.call(method, arguments), of: method)
  }

  /// Loads or creates the wallet in the node.
  ///
  /// - Returns: whether it must be unloaded afterwards, because it was not loaded before.
  func open() async throws(SyncError) -> Bool {
    let wasLoaded = try await isLoaded()
    if !wasLoaded {
      do throws(SyncError) {
        _ = try await node.ask("loadwallet", [.string(name)])
      } catch .server(code: Self.notLoaded, message: _) {
        try await create()
      } catch {
        throw error
      }
    }
    // The name should be unique to us. If it is not, the wallet is not touched.
    guard try await !ask("getwalletinfo")["private_keys_enabled"].isTrue else {
      if !wasLoaded { await close() }
      throw .unsupported(what: "the node's wallet \(name), which has keys")
    }
    return !wasLoaded
  }

  private func isLoaded() async throws(SyncError) -> Bool {
    for other in try await node.ask("listwallets").elements where try other.text == name { return true }
    return false
  }

  private func create() async throws(SyncError) {
    let arguments = { (isDescriptors: Bool) -> [JSONArgument] in
      [.string(name), true, true, "", false, .boolean(isDescriptors), false]
    }
    do throws(SyncError) {
      _ = try await node.ask("createwallet", arguments(true))
    } catch .server(code: _, message: _) {
      // Older nodes, and those built without SQLite, support only legacy wallets.
      _ = try await node.ask("createwallet", arguments(false))
    } catch {
      throw error
    }
  }

  /// Unloads the wallet.
  func close() async {
    do throws(SyncError) { _ = try await node.ask("unloadwallet", [.string(name)]) } catch {
      // It stays loaded, which does not affect the findings.
      return
    }
  }

  /// Returns the descriptors for which the chain has not been scanned.
  func unread(_ watched: [Watched]) async throws(SyncError) -> [Watched] {
    try await concurrently(watched) { watched throws(SyncError) in
      guard let address = watched.lastAddress else { return watched as Watched? }
      let labels = try await ask("getaddressinfo", [.string(address)])["labels"]
      for label in try labels.elements where try label.text == Self.mark { return nil }
      return watched
    }.compactMap { $0 }
  }

  /// Watches scripts and scans the chain for them.
  ///
  /// - Parameters:
  ///   - watched: the scripts.
  ///   - time: a time before the first coin, in seconds since 1970; 0 for the whole chain.
  /// - Returns: the node's progress when waiting ended.
  /// - Throws: the node's errors.
  func watch(_ watched: [Watched], since time: Int64) async throws(SyncError) -> Progress {
    let isDescriptors = try await ask("getwalletinfo").optional("descriptors")?.isTrue == true
    let requests = watched.map { watched in
      var request: [(name: String, value: JSONArgument)] = [
        ("desc", .string("\(watched.descriptor)")), ("timestamp", .number(time)),
      ]
      if let count = watched.count { request.append(("range", [0, .number(count - 1)])) }
      if !isDescriptors { request += [("watchonly", true), ("keypool", false)] }
      return JSONArgument.object(request)
    }
    let method = isDescriptors ? "importdescriptors" : "importmulti"
    do throws(SyncError) {
      let answer = ServerAnswer(try await slow.call(method, [.array(requests)]), of: method)
      for result in try answer.elements where try !result["success"].isTrue {
        let error = try result["error"]
        throw .server(
          code: Int(try error["code"].integer), message: JSONRPC.printable(try error["message"].text))
      }
    } catch {
      // A node continues its scan after the request is abandoned.
      guard case .reading(let part) = try await progress() else { throw error }
      return .reading(part)
    }
    try await setMarks(watched)
    return .done
  }

  /// Returns the progress of the node's scan.
  func progress() async throws(SyncError) -> Progress {
    guard let scanning = try await ask("getwalletinfo").optional("scanning"), scanning.value.kind == .object
    else {
      return .done
    }
    return .reading(try scanning["progress"].value.number ?? "0")
  }

  private func setMarks(_ watched: [Watched]) async throws(SyncError) {
    for address in watched.compactMap(\.lastAddress) {
      _ = try await ask("setlabel", [.string(address), .string(Self.mark)])
    }
    // A wallet learns of mempool transactions when it is loaded, not from an import.
    _ = try await node.ask("unloadwallet", [.string(name)])
    _ = try await node.ask("loadwallet", [.string(name)])
  }

  /// Returns the balance, including unconfirmed and immature coins.
  func balance() async throws(SyncError) -> Int128 {
    let balances = try await ask("getbalances")
    var sum: Int128 = 0
    for part in ["mine", "watchonly"] {
      guard let part = balances.optional(part) else { continue }
      for kind in ["trusted", "untrusted_pending", "immature"] { sum += try part[kind].coins(bounds) }
    }
    return try bounds.balance(sum)
  }

  /// Returns the ids of transactions after a block, including unconfirmed and replaced ones.
  func transactionIDs(after block: String?) async throws(SyncError) -> Set<String> {
    let answer = try await ask("listsinceblock", [.string(block ?? ""), 1, true, true])
    var ids: Set<String> = []
    for list in [answer.optional("transactions"), answer.optional("removed")] {
      guard let entries = try list?.elements else { continue }
      for entry in entries { ids.insert(try entry["txid"].hash) }
    }
    return ids
  }

  /// Returns a transaction; nil if the wallet does not have it.
  func transaction(_ id: String) async throws(SyncError) -> CoreTransaction? {
    try await node.found { () throws(SyncError) in
      try CoreTransaction(await ask("gettransaction", [.string(id), true, true]), bounds)
    }
  }
}

/// The fate of stored transactions that no address of the wallet has on the chain.
struct LostTransactions {
  /// The source's newest block.
  let tip: Checkpoint
  private(set) var found: [FoundTransaction] = []
  private var behindCount = 0
  private var beyondCount = 0

  init(tip: Checkpoint) { self.tip = tip }

  /// Handles a transaction unknown to the source: it was replaced, or its block was orphaned.
  mutating func isUnknown(_ transaction: Transaction) {
    // A source behind the store says nothing about later transactions.
    guard !transaction.hasBlockNumber || transaction.blockNumber <= tip.height else {
      behindCount += 1
      return
    }
    found.append(Self.changed(transaction, .dropped, nil))
  }

  /// Handles a transaction known to the source, but of no address that was checked.
  mutating func isBeyondTheGap(_ transaction: Transaction, in block: Checkpoint?) {
    beyondCount += 1
    found.append(Self.changed(transaction, block == nil ? .pending : .confirmed, block))
  }

  /// Warnings for the user.
  var warnings: [FindingsWarning] {
    var warnings: [FindingsWarning] = []
    if behindCount > 0 {
      warnings.append(.laterThanTip(tip.height, transactions: behindCount))
    }
    if beyondCount > 0 {
      warnings.append(.beyondGap(transactions: beyondCount))
    }
    return warnings
  }

  private static func changed(
    _ transaction: Transaction, _ status: TransactionStatus, _ block: Checkpoint?
  ) -> FoundTransaction {
    var changed = transaction
    changed.clearBlockNumber()
    changed.status = status.rawValue
    if let block {
      changed.blockNumber = block.height
      if block.hasTime { changed.timestamp = block.time }
    }
    return FoundTransaction(changed)
  }
}

extension Transaction {
  /// Its hash in the format of Bitcoin servers; nil for other texts.
  var bitcoinID: String? {
    guard let id = PackedText.text(hash)?.lowercased(), id.utf8.count == 64,
      id.utf8.allSatisfy(ServerAnswer.isLowerHex)
    else { return nil }
    return id
  }
}
