internal import FuekiCrypto
internal import FuekiWallet

/// The requests of an Esplora server.
///
/// See the API description in Blockstream's repository of that name. Amounts are in the smallest unit.
struct EsploraAPI: Sendable {
  let client: ServerClient
  /// The API's base URL, without a trailing slash.
  let base: String
  let credential: EndpointCredential?
  let bounds: CoinBounds

  /// The use and balance of a script.
  struct Use: Sendable {
    let confirmedCount: UInt64
    let waitingCount: UInt64
    /// The balance, including unconfirmed transactions.
    let balance: Int128

    var isUsed: Bool { confirmedCount > 0 || waitingCount > 0 }
  }

  /// A script's transactions, possibly only the newest.
  struct History: Sendable {
    var transactions: [BitcoinTransaction] = []
    /// Whether some are missing.
    var isCut = false
  }

  /// A transaction's status on a server.
  enum Whereabouts: Sendable {
    case unknown
    case waiting
    case block(Checkpoint)
  }

  /// The limit of pages, above any personal address.
  private static let pageLimit = 400
  private static let historyLimit = 100_000

  /// Returns the hash of the chain's first block.
  func genesis() async throws(SyncError) -> String {
    try await ask("/block-height/0") { response throws(SyncError) in try Self.hash(response) }
  }

  /// Returns the newest block.
  func tip() async throws(SyncError) -> Checkpoint {
    let hash = try await ask("/blocks/tip/hash") { response throws(SyncError) in try Self.hash(response) }
    return try await ask("/block/\(hash)") { response throws(SyncError) in
      let block = try ServerAnswer(response, of: "the block")
      var tip = Checkpoint()
      tip.height = try block["height"].height
      tip.hash = PackedText.pack(hash)
      tip.time = try block["timestamp"].time
      return tip
    }
  }

  /// Returns a script's use and balance.
  func use(of script: WatchedScript) async throws(SyncError) -> Use {
    try await ask(Self.path(of: script)) { [bounds] response throws(SyncError) in
      let answer = try ServerAnswer(response, of: "an address")
      let chain = try answer["chain_stats"]
      let waiting = try answer["mempool_stats"]
      return Use(
        confirmedCount: try chain["tx_count"].count, waitingCount: try waiting["tx_count"].count,
        balance: try bounds.balance(
          chain["funded_txo_sum"].units - chain["spent_txo_sum"].units
            + waiting["funded_txo_sum"].units - waiting["spent_txo_sum"].units))
    }
  }

  /// Returns a script's unconfirmed transactions, and those at and above a height.
  func history(
    of script: WatchedScript, _ use: Use, from height: UInt64
  ) async throws(SyncError) -> History {
    let path = Self.path(of: script) + "/txs"
    var history = History()
    history.transactions = try await page(path)
    let waiting = history.transactions.count { $0.block == nil }
    history.isCut = waiting < use.waitingCount
    var confirmedCount = history.transactions.count - waiting
    var pageCount = 1
    // Page sizes differ between servers. All list the newest first.
    while confirmedCount < use.confirmedCount, let last = history.transactions.last?.block,
      last.height >= height
    {
      guard pageCount < Self.pageLimit, history.transactions.count < Self.historyLimit,
        let lastID = history.transactions.last?.id
      else {
        history.isCut = true
        break
      }
      let more = try await page("\(path)/chain/\(lastID)")
      guard !more.isEmpty else {
        history.isCut = true
        break
      }
      history.transactions += more
      confirmedCount += more.count
      pageCount += 1
    }
    // A page that ends with unconfirmed transactions says nothing about confirmed ones.
    if confirmedCount < use.confirmedCount, history.transactions.last?.block == nil { history.isCut = true }
    return history
  }

  /// Returns a transaction's status.
  ///
  /// The status request alone is not enough, because servers report unknown transactions as unconfirmed.
  func whereabouts(of id: String) async throws(SyncError) -> Whereabouts {
    try await ask("/tx/\(id)") { response throws(SyncError) in
      if response.status == 404 { return .unknown }
      let transaction = try ServerAnswer(response, of: "a transaction")
      guard try transaction["txid"].hash == id else {
        throw .malformed(what: "a transaction that was not requested")
      }
      let block = try Self.block(transaction["status"])
      return block.map { .block($0) } ?? .waiting
    }
  }

  private func page(_ path: String) async throws(SyncError) -> [BitcoinTransaction] {
    try await ask(path) { [bounds] response throws(SyncError) in
      try ServerAnswer(response, of: "a transaction").elements.map { answer throws(SyncError) in
        try bounds.check(Self.transaction(answer, bounds))
      }
    }
  }

  private func ask<Answer: Sendable>(
    _ path: String, reading: (HTTPResponse) throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer {
    var request = HTTPRequest(.get, base + path)
    request.credential = credential
    return try await client.ask(request, reading: reading)
  }

  /// Scripts without an address are identified by their digest.
  private static func path(of script: WatchedScript) -> String {
    if let address = script.address { return "/address/\(address)" }
    return "/scripthash/\(SHA256.hash(Hex.decode(script.hex) ?? []).hex)"
  }

  private static func hash(_ response: HTTPResponse) throws(SyncError) -> String {
    let body = try response.successful()
    guard body.count == 64, body.allSatisfy(ServerAnswer.isLowerHex) else {
      throw .malformed(what: "a block's hash is no hash")
    }
    return String(decoding: body, as: UTF8.self)
  }

  private static func transaction(
    _ answer: ServerAnswer, _ bounds: CoinBounds
  ) throws(SyncError) -> BitcoinTransaction {
    let inputs = try answer["vin"].elements.map { input throws(SyncError) in
      try input.optional("prevout").map { output throws(SyncError) in try coin(output, bounds) }
    }
    let outputs = try answer["vout"].elements.map { output throws(SyncError) in
      try coin(output, bounds)
    }
    let fee = try answer["fee"].units(bounds)
    let spent = inputs.compactMap { $0?.value }
    guard spent.count < inputs.count || spent.reduce(0, +) == outputs.reduce(fee, { $0 + $1.value }) else {
      throw .malformed(what: "a transaction that does not add up")
    }
    return BitcoinTransaction(
      id: try answer["txid"].hash, inputs: inputs, outputs: outputs, fee: fee,
      block: try block(answer["status"]))
  }

  private static func coin(
    _ answer: ServerAnswer, _ bounds: CoinBounds
  ) throws(SyncError) -> BitcoinTransaction.Coin {
    BitcoinTransaction.Coin(
      script: try answer["scriptpubkey"].text.lowercased(),
      address: try answer.optional("scriptpubkey_address")?.text, value: try answer["value"].units(bounds))
  }

  /// Returns the block of a transaction's status; nil if unconfirmed.
  private static func block(_ status: ServerAnswer) throws(SyncError) -> Checkpoint? {
    guard try status["confirmed"].isTrue else { return nil }
    var block = Checkpoint()
    block.height = try status["block_height"].height
    block.hash = PackedText.pack(try status["block_hash"].hash)
    if let time = try status.optional("block_time")?.time { block.time = time }
    return block
  }
}
