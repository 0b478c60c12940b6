internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Merges a chain's transactions into those of one wallet, hash by hash.
///
/// A record is recognised by its content: the hash, and for a token transfer the log, or else its contract,
/// parties and amount; for coins sent by a contract, the call. Records created by other programs with their
/// own ids thereby keep their identity.
final class TransactionMerge {
  private(set) var counts = ChainUpdateCounts()
  private let update: ChainUpdate
  private let chain: String
  private let database: Database
  private let wallet: Int64
  private let shelf = RecordShelf<Transaction>()
  private let inserter: RecordInserter
  private let placer: ReceiptPlacer

  init(_ update: ChainUpdate, chain: String, in database: Database) throws {
    self.update = update
    self.chain = chain
    self.database = database
    let row = try Int64.fetchOne(
      database, sql: "SELECT min(row_id) FROM wallets WHERE id = ?", arguments: [update.walletID])
    guard let row else { throw StoreError.noRecord(table: "wallets") }
    wallet = row
    inserter = try RecordInserter(.transactions, parents: ParentRows(looksUp: true), in: database)
    placer = try ReceiptPlacer(in: database)
  }

  /// Groups the entries by hash, in order of arrival.
  func groups() -> [[ChainUpdate.Entry]] {
    var places: [Data: Int] = [:]
    var groups: [[ChainUpdate.Entry]] = []
    for entry in update.transactions where !entry.transaction.hash.isEmpty {
      let hash = HashSpelling(entry.transaction.hash).small
      if let place = places[hash] {
        groups[place].append(entry)
      } else {
        places[hash] = groups.count
        groups.append([entry])
      }
    }
    return groups
  }

  /// Merges the entries of one hash.
  func take(_ entries: [ChainUpdate.Entry]) throws {
    guard let hash = entries.first?.transaction.hash else { return }
    var known = try rows(of: hash)
    counts.rowsRead += known.count
    let own = id(of: ChainUpdate.Entry(Transaction.with { $0.hash = hash }), ordinal: 0)
    var taken: Set<Int64> = []
    var ordinals: [Data: Int] = [:]
    for entry in entries.sorted(by: { Self.rank($0) < Self.rank($1) }) {
      guard !entry.transaction.amount.isEmpty else {
        for row in known { try change(row, entry) }
        continue
      }
      let kind = entry.contract ?? entry.trace.map { _ in Data() }
      let ordinal = kind.map { kind in
        defer { ordinals[kind, default: 0] += 1 }
        return ordinals[kind, default: 0]
      }
      let id = self.id(of: entry, ordinal: ordinal ?? 0)
      let free = known.filter { !taken.contains($0.row) }
      if let row = Self.match(entry, id, Self.isUndone(entry) ? free : known, taken, own: own) {
        taken.insert(row.row)
        try change(row, entry, isOurs: [own, id].contains(row.transaction.id))
      } else if !Self.isUndone(entry) {
        let isTaken = known.contains { $0.transaction.id == id }
        let added = try add(entry, isTaken ? self.id(of: entry, ordinal: ordinal ?? 0, isMoved: true) : id)
        taken.insert(added.row)
        known.append(added)
      }
    }
  }

  /// Ranks entries: those with a position first, so that others find their match among the rest.
  ///
  /// The transaction itself is last, so that it takes no transfer's record.
  private static func rank(_ entry: ChainUpdate.Entry) -> (Int, UInt64) {
    // A removed transfer can only be among records not matched otherwise.
    if isUndone(entry) { return (4, 0) }
    if entry.contract != nil { return (entry.logIndex == nil ? 1 : 0, entry.logIndex ?? 0) }
    guard let trace = entry.trace else { return (3, 0) }
    return (trace.isEmpty ? 2 : 1, 0)
  }

  /// Whether it only states that a token's transfer no longer exists.
  private static func isUndone(_ entry: ChainUpdate.Entry) -> Bool {
    entry.contract != nil && entry.transaction.transactionStatus == .dropped
  }

  /// A record and its row.
  private struct Kept {
    let row: Int64
    var transaction: Transaction
  }

  private func rows(of hash: Data) throws -> [Kept] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT row_id FROM transactions
        WHERE \(StoreIndex.key("hash")) = \(StoreIndex.key("?1")) AND hash = ?1 AND wallet_row = ?2
        ORDER BY row_id
        """)
    let numbers = try HashSpelling.all(of: hash).flatMap {
      try Int64.fetchAll(statement, arguments: [$0, wallet])
    }
    return try numbers.compactMap { number in
      try shelf.fetch("WHERE transactions.row_id = ?", [number], in: database).first
        .map { Kept(row: number, transaction: $0) }
    }
  }

  /// Returns the record of an entry.
  ///
  /// `own` is the id for the transaction itself.
  private static func match(
    _ entry: ChainUpdate.Entry, _ id: Data, _ known: [Kept], _ taken: Set<Int64>, own: Data
  ) -> Kept? {
    let same = known.first { $0.transaction.id == id }
    let free = known.filter { !taken.contains($0.row) }
    guard let place = TransferNote(entry) else {
      if let same { return same }
      let bare = free.filter { TransferNote($0.transaction) == nil }
      if let alike = bare.first(where: { entry.transaction.moves(as: $0.transaction) }) ?? bare.first {
        return alike
      }
      // Another program may record a call that moves only tokens as the token transfer alone.
      let movesNothing = Amount(entry.transaction.amount)?.isZero ?? false
      return movesNothing ? known.first { TransferNote($0.transaction) == nil } : nil
    }
    if let same, entry.transaction.moves(as: same.transaction) { return same }
    let alike = free.filter { $0.transaction.id != own && entry.transaction.moves(as: $0.transaction) }
    return alike.first { TransferNote($0.transaction)?.agrees(with: place) ?? true }
      ?? alike.first { Self.isMoved($0.transaction, entry, place) }
      ?? free.first { $0.transaction.id == id }
  }

  /// Whether a transfer may have been seen in another block, where its log had another number.
  private static func isMoved(
    _ kept: Transaction, _ entry: ChainUpdate.Entry, _ place: TransferNote
  ) -> Bool {
    guard var note = TransferNote(kept), note.logIndex != nil,
      !kept.hasBlockNumber || kept.blockNumber != entry.transaction.blockNumber
    else { return false }
    note.logIndex = nil
    return note.agrees(with: place)
  }

  /// Takes over data that the chain knows better, and keeps what the user or their app wrote.
  ///
  /// Data from an earlier resync is replaced: it may not have known all of the wallet's addresses, and a call
  /// in another block may have moved different amounts.
  private func change(_ kept: Kept, _ entry: ChainUpdate.Entry, isOurs: Bool = false) throws {
    var merged = kept.transaction
    let found = entry.transaction
    merged.status = found.status
    switch found.transactionStatus {
    case .pending, .dropped: merged.clearBlockNumber()
    case .confirmed, .failed, nil: if found.hasBlockNumber { merged.blockNumber = found.blockNumber }
    }
    if found.hasTimestamp { merged.timestamp = found.timestamp }
    if found.hasFee { merged.fee = found.fee }
    if found.hasNonce { merged.nonce = found.nonce }
    if merged.amount.isEmpty { merged.amount = found.amount }
    let isAsTold =
      entry.contract == nil ? Amount(merged.amount) == Amount(found.amount) : found.moves(as: merged)
    if isOurs, !found.amount.isEmpty, !isAsTold {
      merged.amount = found.amount
      merged.from = found.from
      merged.to = found.to
    }
    if merged.from.isEmpty { merged.from = found.from }
    if merged.to.isEmpty { merged.to = found.to }
    if let note = TransferNote(kept.transaction), note.text == merged.metadata, note.logIndex != nil,
      entry.logIndex != nil, let new = TransferNote(entry)
    {
      merged.metadata = new.text
    }
    if merged != kept.transaction {
      try inserter.update(try shelf.decode([merged]), at: kept.row)
      if found.transactionStatus == .dropped { counts.dropped += 1 } else { counts.updated += 1 }
    }
    if let receipt = entry.receipt { try place(receipt, of: merged.id, at: kept.row) }
  }

  private func add(_ entry: ChainUpdate.Entry, _ id: Data) throws -> Kept {
    var transaction = entry.transaction
    transaction.id = id
    transaction.walletID = update.walletID
    if let note = TransferNote(entry) { transaction.metadata = note.text }
    try inserter.insert(try shelf.decode([transaction]))
    let row = database.lastInsertedRowID
    counts.added += 1
    if let receipt = entry.receipt { try place(receipt, of: id, at: row) }
    return Kept(row: row, transaction: transaction)
  }

  /// Stores a transaction's receipt, replacing one from an orphaned block.
  private func place(_ receipt: Receipt, of id: Data, at row: Int64) throws {
    var receipt = receipt
    receipt.transactionID = id
    let kept = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT CAST(id AS BLOB) AS id, coalesce(CAST(gas_used AS TEXT), '') AS gas_used,
          coalesce(CAST(success AS INTEGER), -1) AS success FROM receipts WHERE row_id = ?
          """), arguments: [row])
    if let kept {
      let isSame = kept["gas_used"] == receipt.gasUsed && kept["success"] == (receipt.success ? 1 : 0)
      guard !isSame else { return }
      receipt.id = kept["id"] ?? Data()
      try database.execute(sql: "DELETE FROM receipts WHERE row_id = ?", arguments: [row])
    } else {
      receipt.id = ResyncID.id(["receipt", PackedText.text(id) ?? ""])
    }
    try placer.place(receipt)
  }

  /// Returns the id of a new record.
  ///
  /// A moved one cannot use its log's number, which another record has.
  private func id(of entry: ChainUpdate.Entry, ordinal: Int, isMoved: Bool = false) -> Data {
    var parts = [
      "transaction", PackedText.text(update.walletID) ?? "", chain,
      PackedText.text(HashSpelling(entry.transaction.hash).small) ?? "",
    ]
    if let contract = entry.contract {
      parts += [SameText(contract).text, entry.logIndex.map { "log \($0)" } ?? "transfer \(ordinal)"]
    } else if let trace = entry.trace {
      parts += ["inner", trace.isEmpty ? "transfer \(ordinal)" : trace]
    }
    return ResyncID.id(parts + (isMoved ? ["block \(entry.transaction.blockNumber)"] : []))
  }
}

extension Transaction {
  /// Whether both move the same amount between the same parties.
  func moves(as other: Transaction) -> Bool {
    SameText(from) == SameText(other.from) && SameText(to) == SameText(other.to)
      && Amount(amount) == Amount(other.amount)
  }
}
