internal import FuekiWallet

/// An Esplora server, which has the complete history of every address.
///
/// The balance covers all time. Only the history starts at the query's height.
package struct EsploraSource: ChainSource {
  private let client: ServerClient
  private let base: String
  private let credential: EndpointCredential?
  /// Retries if a block arrives during the scan.
  private static let rounds = 3

  /// Creates a source for the server with the API at a URL.
  package init(_ client: ServerClient, url: String, credential: EndpointCredential? = nil) {
    var base = url[...]
    while base.hasSuffix("/") { base.removeLast() }
    self.client = client
    self.base = String(base)
    self.credential = credential
  }

  /// Returns all data of the server on a wallet.
  public func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    let scripts = try WatchedScripts(query.wallet)
    let api = EsploraAPI(
      client: client, base: base, credential: credential, bounds: CoinBounds(of: scripts.network))
    try GenesisBlock.check(query.wallet, found: await api.genesis())
    var tip = try await api.tip()
    var findings = WalletFindings(tip: tip)
    for _ in 0..<Self.rounds {
      var scan = EsploraScan(api: api, scripts: scripts)
      try await scan.findUses()
      findings = try await scan.findings(for: query, tip: tip)
      // Answers from before and after a block are inconsistent.
      let tipAfterwards = try await api.tip()
      if tipAfterwards.hash == tip.hash { return findings }
      tip = tipAfterwards
    }
    findings.partial = findings.partial ?? .movingChain
    return findings
  }
}

/// A scan of all scripts of a wallet.
private struct EsploraScan {
  let api: EsploraAPI
  var scripts: WatchedScripts
  var uses: [UsedScript] = []
  private var seen: Set<WatchedScript> = []

  /// A script's position in the wallet's keychains.
  struct Place: Sendable {
    let keychain: Int
    let index: Int
  }

  /// A script to query.
  typealias Question = (script: WatchedScript, place: Place?)

  /// A used script.
  struct UsedScript: Sendable {
    let script: WatchedScript
    let use: EsploraAPI.Use
    /// Its keychain and index; nil for a single address.
    let place: Place?
    /// Whether it is beyond all known uses, so that it may be new to the store.
    let isNew: Bool
  }

  /// The highest index of each keychain previously known as used.
  private let usedBefore: [UInt32?]

  init(api: EsploraAPI, scripts: WatchedScripts) {
    self.api = api
    self.scripts = scripts
    usedBefore = scripts.keychains.map(\.lastUsed)
  }

  /// Queries the scripts of all keychains until each ends with a gap of unused ones.
  mutating func findUses() async throws(SyncError) {
    try await ask(about: scripts.single.map { ($0, nil) })
    var asked = scripts.keychains.map { _ in 0 }
    while true {
      var questions: [Question] = []
      for (number, keychain) in scripts.keychains.enumerated() {
        for index in asked[number]..<max(asked[number], keychain.reach(gapLimit: scripts.gapLimit)) {
          let place = Place(keychain: number, index: index)
          questions.append((try keychain.script(at: index, scripts.network), place))
          asked[number] = index + 1
        }
      }
      if questions.isEmpty { return }
      try await ask(about: questions)
    }
  }

  private mutating func ask(about questions: [Question]) async throws(SyncError) {
    let api = api
    let answers = try await concurrently(questions.map(\.script)) { script throws(SyncError) in
      try await api.use(of: script)
    }
    for ((script, place), use) in zip(questions, answers) {
      if seen.insert(script).inserted {
        let isNew =
          place.map { place in usedBefore[place.keychain].map { place.index > $0 } ?? true } ?? false
        uses.append(UsedScript(script: script, use: use, place: place, isNew: isNew))
      }
      guard let place, use.isUsed else { continue }
      let known = scripts.keychains[place.keychain].lastUsed ?? 0
      scripts.keychains[place.keychain].lastUsed = max(known, UInt32(clamping: place.index))
    }
  }

  func findings(for query: WalletQuery, tip: Checkpoint) async throws(SyncError) -> WalletFindings {
    var findings = WalletFindings(tip: tip)
    findings.listsHistory = false
    findings.warnings = scripts.warnings
    findings.balance = String(try api.bounds.balance(uses.reduce(0) { $0 + $1.use.balance }))

    let api = api
    let used = uses.filter { $0.use.isUsed }
    let histories = try await concurrently(used) { used throws(SyncError) in
      try await api.history(of: used.script, used.use, from: used.isNew ? 0 : query.startHeight)
    }
    findings.keychains = borneOut(zip(used, histories))
    var transactions: [String: BitcoinTransaction] = [:]
    for (used, history) in zip(used, histories) {
      for transaction in history.transactions
      where used.isNew || (transaction.block?.height ?? .max) >= query.startHeight {
        transactions[transaction.id] = transaction
      }
    }
    let own = Set(uses.map(\.script.hex))
    findings.transactions = transactions.values
      .sorted { ($0.block?.height ?? .max, $0.id) < ($1.block?.height ?? .max, $1.id) }
      .compactMap { $0.record(of: query.wallet) { own.contains($0.script) } }
      .map { FoundTransaction($0) }

    if histories.contains(where: \.isCut) {
      findings.partial = .longHistory
    } else {
      findings.partial = scripts.cut
    }
    try await follow(query.open, unless: transactions.keys, &findings)
    return findings
  }

  /// Returns each keychain's use as proven by transactions.
  ///
  /// A count alone proves nothing, and stored values only grow.
  private func borneOut(
    _ told: some Sequence<(UsedScript, EsploraAPI.History)>
  ) -> [KeychainIndex] {
    var keychains = scripts.keychains
    for (number, before) in usedBefore.enumerated() { keychains[number].lastUsed = before }
    for (used, history) in told {
      guard let place = used.place, history.transactions.contains(where: { $0.moves(used.script) }) else {
        continue
      }
      let known = keychains[place.keychain].lastUsed ?? 0
      keychains[place.keychain].lastUsed = max(known, UInt32(clamping: place.index))
    }
    return keychains.compactMap(\.finding)
  }

  /// Determines the fate of transactions that no address has any more.
  private func follow(
    _ open: [Transaction], unless known: some Collection<String>, _ findings: inout WalletFindings
  ) async throws(SyncError) {
    let known = Set(known)
    let asked = open.filter { transaction in
      guard let id = transaction.bitcoinID else { return false }
      return !known.contains(id)
    }
    let api = api
    let places = try await concurrently(asked.compactMap(\.bitcoinID)) { id throws(SyncError) in
      try await api.whereabouts(of: id)
    }
    var lost = LostTransactions(tip: findings.tip)
    for (transaction, place) in zip(asked, places) {
      switch place {
      case .unknown: lost.isUnknown(transaction)
      case .waiting: lost.isBeyondTheGap(transaction, in: nil)
      case .block(let block): lost.isBeyondTheGap(transaction, in: block)
      }
    }
    findings.transactions += lost.found
    findings.warnings += lost.warnings
  }
}
