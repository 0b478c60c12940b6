internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

/// What becomes of records that a wallet has and a source did not find.
struct UnfoundRecords {
  private let findings: WalletFindings
  private let asked: WalletQuery
  private let found: Set<HashSpelling>
  /// A source that has not come as far as the store says nothing about what came later.
  private let heights: ClosedRange<UInt64>

  init(_ findings: WalletFindings, _ asked: WalletQuery) {
    self.findings = findings
    self.asked = asked
    found = Set(findings.transactions.map { HashSpelling($0.transaction.hash) })
    heights = asked.startHeight...max(asked.startHeight, findings.tip.height)
  }

  /// Those that are no more, as the ledger takes them.
  var entries: [ChainUpdate.Entry] { vanished + overtaken + undone }

  /// What a block held, and the source's whole history does not have any more.
  private var vanished: [ChainUpdate.Entry] {
    guard findings.listsHistory, findings.partial == nil else { return [] }
    return asked.open.filter {
      $0.transactionStatus != .pending && heights.contains($0.blockNumber)
        && !found.contains(HashSpelling($0.hash)) && findings.lists($0)
    }.map(ChainUpdate.Entry.init(gone:))
  }

  /// What waits for a block, and of which the source's history has another transaction with its sender and nonce.
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

  /// Token transfers that a resync wrote, and that their transaction does not make in the block that it is in now.
  private var undone: [ChainUpdate.Entry] {
    guard findings.partial == nil else { return [] }
    var made: [TokenMovement: Int] = [:]
    for movement in findings.transactions.compactMap({ TokenMovement(ChainUpdate.Entry($0)) }) {
      made[movement, default: 0] += 1
    }
    // What is said of a whole transaction is said of its transfers.
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

/// What a token's transfer moves, wherever its log stands.
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

/// The place of a transaction among those of its sender, which only one can have.
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
  /// Whether the source's history would have a record: one that it never has is not gone.
  fileprivate func lists(_ transaction: Transaction) -> Bool {
    switch TransferNote.kind(of: transaction) {
    case .coin, .token: true
    case .collectible: false
    case .inner: listsInner
    }
  }
}

extension ChainUpdate.Entry {
  /// Says of all that has a transaction's hash that it is gone.
  fileprivate init(gone transaction: Transaction) {
    self.init(
      Transaction.with {
        $0.hash = transaction.hash
        $0.status = TransactionStatus.dropped.rawValue
      })
  }

  /// Says of one token's transfer that it is gone; nil of what is none, or what another program wrote.
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
