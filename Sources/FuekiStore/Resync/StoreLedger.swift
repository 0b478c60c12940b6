public import FoundationEssentials
public import FuekiBackup
public import FuekiWallet
internal import GRDB

/// A store as the source and destination of a resync.
public struct StoreLedger: WalletLedger {
  private let store: WalletStore
  private let shelf = RecordShelf<Transaction>()

  /// Creates the ledger of a store.
  public init(_ store: WalletStore) { self.store = store }

  /// Returns all wallets.
  public func wallets() throws -> [Wallet] { try store.wallets.fetch() }

  /// Returns the wallet with an id.
  public func wallet(_ id: Data) throws -> Wallet? { try store.wallets.find(RecordID(packed: id)) }

  /// Returns the assets of a wallet.
  public func assets(of wallet: Data) throws -> [Asset] {
    try store.assets.fetch(.of(wallet: RecordID(packed: wallet)))
  }

  /// Returns a wallet's transactions that are pending, or in a block at or above a height.
  ///
  /// Only the newest by time are searched, because block times increase with heights.
  public func open(of wallet: Data, from height: UInt64) throws -> [Transaction] {
    let pending = try store.transactions.fetch(.pending.and(.of(wallet: RecordID(packed: wallet))))
    return try store.read { database in
      var found = pending
      var offset = 0
      while true {
        let page = try shelf.fetch(
          """
          WHERE transactions.wallet_row = (SELECT row_id FROM wallets WHERE id = ?)
          ORDER BY transactions.timestamp DESC LIMIT ? OFFSET ?
          """, [wallet, Self.page, offset], in: database)
        let recent = page.filter { $0.hasBlockNumber && $0.blockNumber >= height && Self.isInBlock($0) }
        found += recent
        offset += page.count
        // Pending transactions have times too, but say nothing about the height reached.
        guard page.count == Self.page, !recent.isEmpty || !page.contains(where: Self.isInBlock) else {
          return found
        }
      }
    }
  }

  /// Whether a wallet has any transaction.
  public func hasTransactions(of wallet: Data) throws -> Bool {
    try store.read { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM transactions WHERE wallet_row = (SELECT row_id FROM wallets WHERE id = ?))
          """, arguments: [wallet]) ?? false
    }
  }

  private static let page = 100

  private static func isInBlock(_ transaction: Transaction) -> Bool {
    transaction.transactionStatus == .confirmed || transaction.transactionStatus == .failed
  }

  /// Merges a chain's data in one transaction.
  ///
  /// - Throws: ``StoreError/noRecord(table:)`` if there is no such wallet.
  public func merge(_ update: ChainUpdate) throws -> ChainUpdateCounts {
    try store.write { database in
      let wallets = RecordShelf<Wallet>()
      guard var wallet = try wallets.fetch(update.walletID.databaseValue, in: database) else {
        throw StoreError.noRecord(table: "wallets")
      }
      wallet.take(update)
      try wallets.save(wallet, in: database)
      try mergeAssets(of: update, in: database)
      let merge = try TransactionMerge(update, chain: "\(wallet.chainFamily):\(wallet.chainID)", in: database)
      for entries in merge.groups() { try merge.take(entries) }
      return merge.counts
    }
  }

  private func mergeAssets(of update: ChainUpdate, in database: Database) throws {
    guard !update.assets.isEmpty else { return }
    let assets = RecordShelf<Asset>()
    let kept = try assets.fetch(
      "WHERE assets.wallet_row = (SELECT row_id FROM wallets WHERE id = ?)", [update.walletID], in: database)
    for asset in update.assets {
      let name = SameText(asset.contract)
      var merged =
        kept.first { SameText($0.contract) == name && $0.tokenID == asset.tokenID && $0.kind == asset.kind }
        ?? asset
      if merged.id.isEmpty {
        merged.id = ResyncID.id([
          "asset", PackedText.text(update.walletID) ?? "", name.text, asset.tokenID,
        ])
        merged.createdAt = update.time
      }
      merged.walletID = update.walletID
      if asset.hasBalance { merged.balance = asset.balance }
      if asset.hasDecimals, !merged.hasDecimals { merged.decimals = asset.decimals }
      if merged.symbol.isEmpty { merged.symbol = asset.symbol }
      if merged.name.isEmpty { merged.name = asset.name }
      merged.updatedAt = update.time
      try assets.save(merged, in: database)
    }
  }

  /// Stores a price, replacing an older one.
  public func keep(_ price: AssetPrice) throws {
    try store.write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO price_cache (asset, currency, price, fetched_at) VALUES (?, ?, ?, ?)",
        arguments: [price.asset, price.currency, price.price, price.fetchedAt])
    }
  }

  /// Returns the last stored price.
  public func price(of asset: String, in currency: String) throws -> AssetPrice? {
    try store.read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT CAST(price AS TEXT), CAST(fetched_at AS INTEGER) FROM price_cache
          WHERE asset = ? AND currency = ? AND price IS NOT NULL AND fetched_at IS NOT NULL
          """, arguments: [asset, currency]
      ).map { AssetPrice(asset: asset, currency: currency, price: $0[0], fetchedAt: $0[1]) }
    }
  }
}

/// A packed text, ignoring the case of an address's checksum.
struct SameText: Hashable {
  let text: String

  init(_ packed: Data) {
    let text = PackedText.text(packed) ?? ""
    self.text = text.hasPrefix("0x") ? text.lowercased() : text
  }
}

extension Wallet {
  /// The number of older checkpoints kept, for deep reorganisations.
  private static let checkpointLimit = 8

  /// Takes over the chain's data about the wallet itself.
  fileprivate mutating func take(_ update: ChainUpdate) {
    if let balance = update.balance { self.balance = balance }
    if let nonce = update.nonce { self.nonce = nonce }
    if let synced = update.synced {
      if hasLastSynced, lastSynced.height < synced.height {
        earlierCheckpoints = Array(
          ([lastSynced] + earlierCheckpoints.filter { $0.height < lastSynced.height })
            .prefix(Self.checkpointLimit))
      }
      lastSynced = synced
    }
    for seen in update.keychains {
      let index = keychains.firstIndex { $0.name == seen.name }
      var kept = index.map { keychains[$0] } ?? seen
      if seen.hasLastUsed { kept.lastUsed = max(kept.lastUsed, seen.lastUsed) }
      if seen.hasLastRevealed { kept.lastRevealed = max(kept.lastRevealed, seen.lastRevealed) }
      // A used index was also revealed.
      if kept.hasLastUsed { kept.lastRevealed = max(kept.lastRevealed, kept.lastUsed) }
      if let index { keychains[index] = kept } else { keychains.append(kept) }
    }
    updatedAt = update.time
  }
}
