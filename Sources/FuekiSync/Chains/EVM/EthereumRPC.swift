internal import FoundationEssentials
internal import FuekiWallet

/// A node of Ethereum or a compatible chain.
///
/// Token transfers are found by their logs, and the accounts' own transactions by ``BlockSearch``. Internal
/// transfers of coins by contracts are not found, but the balance includes them.
package struct EthereumRPC: ChainSource {
  /// The limits of a resync.
  package struct Bounds: Sendable {
    /// The limit of blocks to read for the accounts' own transactions.
    var blocks: UInt64

    /// Creates limits other than the defaults.
    package init(blocks: UInt64 = 4096) { self.blocks = blocks }
  }

  private let node: EVMNode
  private let bounds: Bounds
  /// The number of blocks by which a receipt may be delayed.
  private static let receiptPatience: UInt64 = 16

  /// Creates a source for the node at a URL.
  package init(_ connection: Connection, bounds: Bounds = Bounds()) {
    node = EVMNode(rpc: connection.rpc)
    self.bounds = bounds
  }

  /// Returns all data of the node on the wallet's accounts.
  public func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    let accounts = try EVMAccounts(query.wallet)
    try await checkChain(of: query.wallet)
    let head = try await node.head()
    var findings = WalletFindings(tip: head.checkpoint)
    findings.listsHistory = false
    let start = try await start(of: query, head)
    let states = try await node.states(of: accounts, at: head.height)
    findings.balance = Amount.sum(states.compactMap { Amount($0.balance.text) }).canonicalText
    if EVMAddress(wallet: query.wallet) != nil { findings.nonce = states.first?.nonce.uint64 }

    var transfers: [TokenTransfer] = []
    var blocks = BlockSearch.Outcome(reached: head.height)
    if start <= head.height {
      transfers = try await TransferSearch(node: node, accounts: accounts).transfers(in: start...head.height)
      blocks = try await BlockSearch(node: node, accounts: accounts, bound: bounds.blocks)
        .search(start...head.height)
    }
    if let partial = blocks.partial {
      findings.partial = partial
      findings.reached = try await node.header(at: blocks.reached)?.checkpoint
    }
    let hashes = blocks.transactions + transfers.map(\.hash)
    let open = query.open.compactMap(Self.hash(of:))
    var known = try await node.transactions(Self.once(hashes + open))
    let forgotten = blocks.transactions.filter { Self.isForgotten(known[$0], head) }
    if !forgotten.isEmpty {
      findings.partial = .forgotten(transactions: forgotten.count)
      findings.reached = nil
      for hash in forgotten { known[hash] = nil }
    }
    findings.transactions = try await found(known, transfers, accounts)
    findings.transactions += Self.vanished(
      // A node behind the store says nothing about later transactions.
      query.open.filter { !$0.hasBlockNumber || $0.blockNumber <= head.height }, known,
      hasSent: Dictionary(zip(accounts.addresses, states.map(\.nonce))) { $1 })
    let tokens = try await TokenReader(node: node, accounts: accounts, height: head.height)
      .assets(known: query.assets, seen: transfers)
    findings.assets = tokens.found
    if tokens.failureCount > 0, findings.partial == nil {
      findings.partial = .failedTokens(count: tokens.failureCount)
      findings.reached = head.checkpoint
    }
    return findings
  }

  private func checkChain(of wallet: Wallet) async throws(SyncError) {
    let id = try await node.chainID()
    guard id == wallet.chainID else { throw .wrongChain(expected: wallet.chainID, found: id) }
    // Test chains often share an id, but their first blocks differ.
    guard let genesis = PackedText.text(wallet.genesisHash), !genesis.isEmpty,
      let found = try await node.header(at: 0)
    else { return }
    guard found.hash == genesis else { throw .wrongChain(expected: genesis, found: found.hash) }
  }

  /// Returns the first height to check, lower if a synced block was orphaned.
  private func start(of query: WalletQuery, _ head: EVMNode.Header) async throws(SyncError) -> UInt64 {
    guard query.wallet.hasLastSynced else { return query.startHeight }
    let synced = [query.wallet.lastSynced] + query.wallet.earlierCheckpoints.sorted { $0.height > $1.height }
    for checkpoint in synced where !checkpoint.hash.isEmpty {
      guard checkpoint.height <= head.height, let there = try await node.header(at: checkpoint.height) else {
        continue
      }
      if PackedText.pack(there.hash) == checkpoint.hash { return min(query.startHeight, checkpoint.height) }
    }
    return query.startHeight
  }

  private func found(
    _ known: [String: EVMTransaction], _ transfers: [TokenTransfer], _ accounts: EVMAccounts
  ) async throws(SyncError) -> [FoundTransaction] {
    let heights = Set(known.values.compactMap(\.height) + transfers.map(\.height))
    let times = try await node.times(at: heights)
    var found: [FoundTransaction] = []
    var own: Set<String> = []
    for transaction in known.values.sorted(by: { ($0.height ?? .max, $0.hash) < ($1.height ?? .max, $1.hash) }
    )
    where accounts.contains(transaction.from) || accounts.contains(transaction.to) {
      own.insert(transaction.hash)
      found.append(try transaction.found(at: transaction.height.flatMap { times[$0] }))
    }
    for transfer in transfers {
      // A receipt belongs to one record only: the transaction's own, if there is one.
      let receipt = own.insert(transfer.hash).inserted ? try known[transfer.hash]?.receiptRecord() : nil
      found.append(transfer.found(at: times[transfer.height], receipt: receipt))
    }
    return found
  }

  /// Returns the hash in a node's format; nil if the record has no hash of this chain.
  private static func hash(of transaction: Transaction) -> String? {
    let hash = PackedText.text(HashSpelling(transaction.hash).small)
    return hash.flatMap { $0.hasPrefix("0x") ? $0 : nil }
  }

  /// Returns transactions no longer in any block: removed by a reorganisation, or replaced by another with
  /// the same nonce.
  private static func vanished(
    _ open: [Transaction], _ known: [String: EVMTransaction], hasSent: [EVMAddress: EVMNumber]
  ) -> [FoundTransaction] {
    open.compactMap { transaction in
      guard let hash = Self.hash(of: transaction),
        known[hash].map({ !$0.isSettled }) ?? true
      else { return nil }
      var gone = Transaction()
      gone.hash = transaction.hash
      if known[hash] != nil {
        gone.status = TransactionStatus.pending.rawValue
        return FoundTransaction(gone)
      }
      if transaction.transactionStatus == .pending {
        // Another node may still have it. Only the use of its nonce by another transaction is proof.
        guard let from = PackedText.text(transaction.from).flatMap({ try? EVMAddress($0) }),
          let next = hasSent[from]?.uint64, transaction.hasNonce, transaction.nonce < next
        else { return nil }
      }
      gone.status = TransactionStatus.dropped.rawValue
      return FoundTransaction(gone)
    }
  }

  /// Whether a pruned node has dropped a transaction or its receipt, though it has the block.
  ///
  /// Near the head they may only be delayed.
  private static func isForgotten(_ transaction: EVMTransaction?, _ head: EVMNode.Header) -> Bool {
    guard let transaction else { return true }
    guard !transaction.isSettled, let height = transaction.height else { return false }
    return height + receiptPatience <= head.height
  }

  private static func once(_ hashes: [String]) -> [String] {
    var seen: Set<String> = []
    return hashes.filter { seen.insert($0).inserted }
  }
}

extension EVMAddress {
  fileprivate init?(wallet: Wallet) {
    guard let text = PackedText.text(wallet.address), let address = try? EVMAddress(text) else { return nil }
    self = address
  }
}
