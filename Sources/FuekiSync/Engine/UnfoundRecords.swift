internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

/// Decides the fate of stored records that a source did not find.
struct UnfoundRecords {
  private let findings: WalletFindings
  private let asked: WalletQuery
  private let found: Set<HashSpelling>
  /// A source behind the store says nothing about later records.
  private let heights: ClosedRange<UInt64>

  init(_ findings: WalletFindings, _ asked: WalletQuery) {
    self.findings = findings
    self.asked = asked
    found = Set(findings.transactions.map { HashSpelling($0.transaction.hash) })
    heights = asked.startHeight...max(asked.startHeight, findings.tip.height)
  }

  /// The updates for records that no longer exist.
  var entries: [ChainUpdate.Entry] { vanished + overtaken + undone }

  /// Confirmed transactions missing from the source's complete history.
  private var vanished: [ChainUpdate.Entry] {
    guard findings.listsHistory, findings.partial == nil else { return [] }
    return asked.open.filter {
      $0.transactionStatus != .pending && heights.contains($0.blockNumber)
        && !found.contains(HashSpelling($0.hash)) && findings.lists($0)
    }.map(ChainUpdate.Entry.init(gone:))
  }

  /// Pending transactions replaced by another with the same sender and nonce in the source's history.
  private var overtaken: [ChainUpdate.Entry] {
    guard findings.listsHistory else { return [] }
    var places: [AccountPlace: HashSpelling] = [:]
    for transaction in findings.transactions.map(\.transaction) where transaction.hasBlockNumber {
      if let place = AccountPlace(transaction) { places[place] = HashSpelling(transaction.hash) }
    }
    return asked.open.filter { transaction in
      guard transaction.transactionStatus == .pending, let place = AccountPlace(transaction),
        let other = places[place]
      else { return false }
      return other != HashSpelling(transaction.hash)
    }.map(ChainUpdate.Entry.init(gone:))
  }

  /// Token transfers from an earlier resync that their transaction no longer makes in its current block.
  private var undone: [ChainUpdate.Entry] {
    guard findings.partial == nil else { return [] }
    var made: [TokenMovement: Int] = [:]
    for movement in findings.transactions.compactMap({ TokenMovement(ChainUpdate.Entry($0)) }) {
      made[movement, default: 0] += 1
    }
    // The status of a whole transaction applies to its transfers.
    let others = Set(
      (findings.transactions.map(\.transaction).filter(\.amount.isEmpty) + vanished.map(\.transaction))
        .map { HashSpelling($0.hash) })
    return asked.open.compactMap { transaction in
      guard transaction.transactionStatus == .confirmed, heights.contains(transaction.blockNumber),
        !others.contains(HashSpelling(transaction.hash)),
        let entry = ChainUpdate.Entry(undone: transaction, byCollectibles: !findings.listsHistory),
        let movement = TokenMovement(entry)
      else { return nil }
      guard let count = made[movement], count > 0 else { return entry }
      made[movement] = count - 1
      return nil
    }
  }
}

/// A token transfer's movement, independent of its log's position.
private struct TokenMovement: Hashable {
  let hash: HashSpelling
  let texts: [String]

  init?(_ entry: ChainUpdate.Entry) {
    guard let contract = entry.contract, let amount = Amount(entry.transaction.amount) else { return nil }
    hash = HashSpelling(entry.transaction.hash)
    texts =
      [contract, entry.transaction.from, entry.transaction.to].map { PackedText.text($0)?.lowercased() ?? "" }
      + [amount.canonicalText, entry.tokenID ?? ""]
  }
}

/// A sender and nonce, which identify one transaction.
private struct AccountPlace: Hashable {
  let sender: String
  let nonce: UInt64

  init?(_ transaction: Transaction) {
    guard transaction.hasNonce, let sender = PackedText.text(transaction.from), !sender.isEmpty else {
      return nil
    }
    self.sender = sender.lowercased()
    nonce = transaction.nonce
  }
}

extension WalletFindings {
  /// Whether the source's history could include a record.
  ///
  /// One that it never lists is not missing.
  fileprivate func lists(_ transaction: Transaction) -> Bool {
    switch TransferNote.kind(of: transaction) {
    case .coin, .token: true
    case .collectible: false
    case .inner: listsInner
    }
  }
}

extension ChainUpdate.Entry {
  /// Reports that everything with a transaction's hash is gone.
  fileprivate init(gone transaction: Transaction) {
    self.init(
      Transaction.with {
        $0.hash = transaction.hash
        $0.status = TransactionStatus.dropped.rawValue
      })
  }

  /// Reports that one token transfer is gone; nil for other records and those of other programs.
  fileprivate init?(undone transaction: Transaction, byCollectibles: Bool) {
    guard let note = TransferNote(transaction), note.text == transaction.metadata,
      let contract = note.contract, note.tokenID == nil || byCollectibles
    else { return nil }
    self.init(transaction)
    self.transaction.status = TransactionStatus.dropped.rawValue
    self.contract = PackedText.pack(contract)
    logIndex = note.logIndex
    tokenID = note.tokenID
  }
}
