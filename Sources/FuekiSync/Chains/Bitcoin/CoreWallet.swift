internal import FuekiCrypto
internal import FuekiWallet

/// A wallet of our own within a node: it holds no keys, and watches the scripts of one wallet of the person's.
///
/// The node keeps it, so that the chain has to be read but once. It is loaded only while it is used: a program that
/// names no wallet is answered by a node only as long as a single one is loaded.
struct CoreWallet: Sendable {
  /// What the node is to watch: a descriptor, and how many of its scripts.
  struct Watched: Sendable {
    let descriptor: Descriptor
    /// How many indices from 0 on; nil for a descriptor of one script.
    let count: Int?
    /// The last script's address, which bears our mark once the chain was read for all of them.
    let lastAddress: String?
  }

  /// Where a node says how far it is with reading the chain.
  enum Progress: Sendable {
    case done
    /// As the node's own number, from 0 to 1.
    case reading(String)
  }

  let node: CoreNode
  let name: String
  let bounds: CoinBounds
  private let rpc: JSONRPC
  private let slow: JSONRPC

  /// Set on an address when the chain has been read for all scripts up to it: a scan that was cut off would else
  /// be taken for one that found nothing.
  private static let mark = "fueki-backup: chain read"
  private static let notLoaded = -18
  private static let walletError = -4

  /// The wallet for these scripts; its name comes from them, so that the same are found again.
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

  /// Has the node load the wallet, or make it.
  ///
  /// - Returns: Whether it has to be put away afterwards: it was not loaded before.
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
    // Nobody else has a wallet of this name; but were it so, it would not be touched.
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
      // Older nodes, and those built without SQLite, have wallets of the old kind only.
      _ = try await node.ask("createwallet", arguments(false))
    } catch {
      throw error
    }
  }

  /// Has the node put the wallet away.
  func close() async {
    do throws(SyncError) { _ = try await node.ask("unloadwallet", [.string(name)]) } catch {
      // It stays loaded, which harms nothing that was found.
      return
    }
  }

  /// Which of these the chain was not read for yet.
  func unread(_ watched: [Watched]) async throws(SyncError) -> [Watched] {
    try await concurrently(watched) { watched throws(SyncError) in
      guard let address = watched.lastAddress else { return watched as Watched? }
      let labels = try await ask("getaddressinfo", [.string(address)])["labels"]
      for label in try labels.elements where try label.text == Self.mark { return nil }
      return watched
    }.compactMap { $0 }
  }

  /// Has the node watch scripts, and read the chain for them.
  ///
  /// - Parameters:
  ///   - watched: what to watch.
  ///   - time: seconds since 1970, before which no coin came; 0 for the whole chain.
  /// - Returns: How far the node was when it was no longer waited for.
  /// - Throws: What the node says.
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
      // A node goes on reading when nobody waits for it any more.
      guard case .reading(let part) = try await progress() else { throw error }
      return .reading(part)
    }
    try await setMarks(watched)
    return .done
  }

  /// How far the node is with reading the chain.
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
    // A wallet learns what waits in the mempool when it is loaded, and not from an import.
    _ = try await node.ask("unloadwallet", [.string(name)])
    _ = try await node.ask("loadwallet", [.string(name)])
  }

  /// The balance with what waits and what is not ripe yet.
  func balance() async throws(SyncError) -> Int128 {
    let balances = try await ask("getbalances")
    var sum: Int128 = 0
    for part in ["mine", "watchonly"] {
      guard let part = balances.optional(part) else { continue }
      for kind in ["trusted", "untrusted_pending", "immature"] { sum += try part[kind].coins(bounds) }
    }
    return try bounds.balance(sum)
  }

  /// The ids of transactions in blocks after one, of those that wait, and of those that lost.
  func transactionIDs(after block: String?) async throws(SyncError) -> Set<String> {
    let answer = try await ask("listsinceblock", [.string(block ?? ""), 1, true, true])
    var ids: Set<String> = []
    for list in [answer.optional("transactions"), answer.optional("removed")] {
      guard let entries = try list?.elements else { continue }
      for entry in entries { ids.insert(try entry["txid"].hash) }
    }
    return ids
  }

  /// One transaction; nil where the wallet has none of that id.
  func transaction(_ id: String) async throws(SyncError) -> CoreTransaction? {
    try await node.found { () throws(SyncError) in
      try CoreTransaction(await ask("gettransaction", [.string(id), true, true]), bounds)
    }
  }
}
