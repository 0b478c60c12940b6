internal import FuekiWallet

/// What is said of transactions that a wallet has in its store, and none of its addresses has on the chain.
struct LostTransactions {
  /// The newest block of the source.
  let tip: Checkpoint
  private(set) var found: [FoundTransaction] = []
  private var behindCount = 0
  private var beyondCount = 0

  init(tip: Checkpoint) { self.tip = tip }

  /// The source does not know it: it was replaced, or went with a block that lost.
  mutating func isUnknown(_ transaction: Transaction) {
    // A server that has not come as far as the store has says nothing about what came later.
    guard !transaction.hasBlockNumber || transaction.blockNumber <= tip.height else {
      behindCount += 1
      return
    }
    found.append(Self.changed(transaction, .dropped, nil))
  }

  /// The source knows it, although it does not belong to any address that was looked at.
  mutating func isBeyondTheGap(_ transaction: Transaction, in block: Checkpoint?) {
    beyondCount += 1
    found.append(Self.changed(transaction, block == nil ? .pending : .confirmed, block))
  }

  /// What the person should know.
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
  /// Its hash as servers of Bitcoin know it; nil for what is none.
  var bitcoinID: String? {
    guard let id = PackedText.text(hash)?.lowercased(), id.utf8.count == 64,
      id.utf8.allSatisfy(ServerAnswer.isLowerHex)
    else { return nil }
    return id
  }
}
