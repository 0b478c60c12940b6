internal import FuekiWallet

/// A scan for a wallet through a node.
struct CoreScan {
  let node: CoreNode
  let wallet: CoreWallet
  let query: WalletQuery
  /// Whether the node is still scanning the chain.
  private(set) var isReading = false
  private var scripts: WatchedScripts
  /// The highest index of each keychain previously known as used.
  private let usedBefore: [UInt32?]
  /// The positions of the watched scripts, by their hexadecimal text.
  private var places: [String: Place] = [:]
  private var watchedCounts: [Int]?
  private var transactions: [String: CoreTransaction] = [:]
  private var isNew = false
  private var warnings: [FindingsWarning] = []

  /// The number of indices beyond the reach to check for scripts from earlier scans.
  private static let furthest = 1000

  private struct Place {
    var keychain: Int?
    var index = 0
  }

  init(node: CoreNode, wallet: CoreWallet, scripts: WatchedScripts, query: WalletQuery) {
    self.node = node
    self.wallet = wallet
    self.scripts = scripts
    usedBefore = scripts.keychains.map(\.lastUsed)
    self.query = query
  }

  /// Adds all scripts in reach to the node's watch list.
  ///
  /// - Returns: whether any of them is new in this scan.
  mutating func watchMore() async throws(SyncError) -> Bool {
    let counts = scripts.keychains.map { $0.reach(gapLimit: scripts.gapLimit) }
    guard counts != watchedCounts else { return false }
    watchedCounts = counts
    var watched: [CoreWallet.Watched] = []
    for (number, keychain) in scripts.keychains.enumerated() {
      var last: WatchedScript?
      for index in 0..<counts[number] {
        let script = try keychain.script(at: index, scripts.network)
        places[script.hex] = Place(keychain: number, index: index)
        last = script
      }
      watched.append(
        CoreWallet.Watched(
          descriptor: keychain.descriptor, count: keychain.descriptor.isRanged ? counts[number] : nil,
          lastAddress: last?.address))
    }
    for script in scripts.single where places[script.hex] == nil {
      places[script.hex] = Place()
      // Only scripts with an address are watched individually, and every address yields a descriptor.
      guard let address = script.address, let descriptor = try? Descriptor(parsing: "addr(\(address))") else {
        continue
      }
      watched.append(CoreWallet.Watched(descriptor: descriptor, count: nil, lastAddress: address))
    }
    let unread = try await wallet.unread(watched)
    guard !unread.isEmpty else { return true }
    isNew = true
    // Answers change when more scripts are known.
    transactions = [:]
    let birthday = try await birthday()
    guard case .done = try await wallet.watch(unread, since: birthday) else { return true }
    if birthday > 0, try await hasCoinsBeforeBirthday(watched) {
      warnings.append(.olderThanBirthday)
      _ = try await wallet.watch(watched, since: 0)
    }
    return true
  }

  /// Returns the wallet's birthday in seconds since 1970; 0 if unknown.
  private func birthday() async throws(SyncError) -> Int64 {
    guard query.wallet.hasBirthday else { return 0 }
    let birthday = query.wallet.birthday
    if birthday.hasTime { return max(0, birthday.time / 1_000_000) }
    let height = min(birthday.height, try await node.state().tip.height)
    let hash = try await node.blockHash(at: height)
    return try await node.ask("getblockheader", [.string(hash)])["time"].time / 1_000_000
  }

  /// Whether the chain's unspent coins include some that the node's wallet missed.
  ///
  /// This needs no birthday.
  private func hasCoinsBeforeBirthday(_ watched: [CoreWallet.Watched]) async throws(SyncError) -> Bool {
    let questions = watched.map { watched -> JSONArgument in
      let text = JSONArgument.string("\(watched.descriptor)")
      guard let count = watched.count else { return text }
      return ["desc": text, "range": [0, .number(count - 1)]]
    }
    let answer = ServerAnswer(
      try await node.slow.call("scantxoutset", ["start", .array(questions)]), of: "scantxoutset")
    let ids = Set(try answer["unspents"].elements.map { coin throws(SyncError) in try coin["txid"].hash })
    for id in ids where try await wallet.transaction(id) == nil { return true }
    return false
  }

  /// Reads the transactions of the node's wallet, and records the used indices.
  mutating func list() async throws(SyncError) {
    // For a known wallet, earlier uses are already known.
    let isKnown = !isNew && scripts.keychains.allSatisfy { $0.lastUsed != nil }
    var start: String?
    if isKnown, query.startHeight > 0 {
      let tip = try await node.state().tip.height
      start = try await node.blockHash(at: min(query.startHeight - 1, tip))
    }
    let new = try await wallet.transactionIDs(after: start).filter { transactions[$0] == nil }
    for transaction in try await read(new.sorted()) { transactions[transaction.id] = transaction }
    var strange: Set<String> = []
    for transaction in transactions.values {
      var isOwn = transaction.fee != nil
      for coin in transaction.outputs {
        guard let place = places[coin.script] else { continue }
        isOwn = true
        if let number = place.keychain { use(place.index, of: number) }
      }
      if !isOwn { strange.formUnion(transaction.outputs.map(\.script)) }
    }
    if !strange.isEmpty { try findBeyondReach(strange) }
  }

  /// Finds scripts that the node watches since an earlier scan with a wider reach.
  private mutating func findBeyondReach(_ wanted: Set<String>) throws(SyncError) {
    for (number, keychain) in scripts.keychains.enumerated() where keychain.descriptor.isRanged {
      let start = keychain.reach(gapLimit: scripts.gapLimit)
      for index in start..<max(start, min(start + Self.furthest, keychain.limit(gapLimit: scripts.gapLimit)))
      {
        let script = try keychain.script(at: index, scripts.network)
        guard wanted.contains(script.hex) else { continue }
        use(index, of: number)
      }
    }
  }

  private mutating func use(_ index: Int, of number: Int) {
    scripts.keychains[number].lastUsed = max(scripts.keychains[number].lastUsed ?? 0, UInt32(clamping: index))
  }

  private func read(_ ids: [String]) async throws(SyncError) -> [CoreTransaction] {
    let wallet = wallet
    return try await concurrently(ids) { id throws(SyncError) in try await wallet.transaction(id) }
      .compactMap { $0 }
  }

  /// Returns the findings available while the node scans the chain.
  mutating func unfinished(_ part: String) async throws(SyncError) -> WalletFindings {
    isReading = true
    var findings = WalletFindings(tip: try await node.state().tip)
    let percent =
      Amount(part)?.multiplied(byPowerOfTen: 2).canonicalText.prefix { $0 != "." }.prefix(3) ?? "0"
    findings.partial = .reading(percent: String(percent))
    return findings
  }

  func findings() async throws(SyncError) -> WalletFindings {
    let state = try await node.state()
    var findings = WalletFindings(tip: state.tip)
    findings.listsHistory = false
    findings.partial = state.lag ?? scripts.cut
    findings.warnings = scripts.warnings + warnings
    findings.keychains = scripts.keychains.compactMap(\.finding)
    findings.balance = String(try await wallet.balance())

    var known = transactions
    let spent = Set(transactions.values.filter { $0.fee != nil }.flatMap { $0.inputs.compactMap { $0?.id } })
    for transaction in try await read(spent.subtracting(known.keys).sorted()) {
      known[transaction.id] = transaction
    }
    var open: [String: Transaction] = [:]
    for transaction in query.open { open[transaction.bitcoinID ?? ""] = transaction }
    let isOwn = { (coin: BitcoinTransaction.Coin) in places[coin.script] != nil }
    for transaction in transactions.values.sorted(by: { $0.place < $1.place }) {
      let whole = try wallet.bounds.check(transaction.described(by: known))
      guard (transaction.block?.height ?? .max) >= query.startHeight || isNews(whole),
        var record = whole.record(of: query.wallet, isOwn)
      else { continue }
      if transaction.block == nil {
        let isWaiting = transaction.hasLost ? false : try await node.isWaiting(transaction.id)
        // A transaction that was replaced before anyone saw it does not count.
        guard isWaiting || open[transaction.id] != nil else { continue }
        if !isWaiting { record.status = TransactionStatus.dropped.rawValue }
      }
      findings.transactions.append(FoundTransaction(record))
    }
    try await follow(open.filter { transactions[$0.key] == nil }, &findings)
    return findings
  }

  /// Whether a transaction uses an index beyond all known ones, so that it may be new to the store.
  private func isNews(_ transaction: BitcoinTransaction) -> Bool {
    (transaction.inputs.compactMap { $0 } + transaction.outputs).contains { coin in
      guard let place = places[coin.script], let number = place.keychain else { return false }
      return usedBefore[number].map { place.index > $0 } ?? true
    }
  }

  /// Determines the fate of transactions that the node's wallet does not have.
  private func follow(_ open: [String: Transaction], _ findings: inout WalletFindings) async throws(SyncError)
  {
    var lost = LostTransactions(tip: findings.tip)
    for (id, transaction) in open.sorted(by: { $0.key < $1.key }) where !id.isEmpty {
      if try await node.isWaiting(id) {
        lost.isBeyondTheGap(transaction, in: nil)
      } else if transaction.hasBlockNumber, transaction.blockNumber <= findings.tip.height,
        let block = try await node.block(at: transaction.blockNumber, with: id)
      {
        lost.isBeyondTheGap(transaction, in: block)
      } else {
        lost.isUnknown(transaction)
      }
    }
    findings.transactions += lost.found
    findings.warnings += lost.warnings
  }
}

extension CoreTransaction {
  /// The sort key of transactions.
  fileprivate var place: (UInt64, String) { (block?.height ?? .max, id) }
}
