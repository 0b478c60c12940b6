internal import FuekiWallet

/// The fate of stored transactions that no address of the wallet has on the chain.
struct LostTransactions {
  /// The source's newest block.
  let tip: Checkpoint
  private(set) var found: [FoundTransaction] = []
  private var behindCount = 0
  private var beyondCount = 0

  init(tip: Checkpoint) { self.tip = tip }

  /// Handles a transaction unknown to the source: it was replaced, or its block was orphaned.
  mutating func isUnknown(_ transaction: Transaction) {
    // A source behind the store says nothing about later transactions.
    guard !transaction.hasBlockNumber || transaction.blockNumber <= tip.height else {
      behindCount += 1
      return
    }
    found.append(Self.changed(transaction, .dropped, nil))
  }

  /// Handles a transaction known to the source, but of no address that was checked.
  mutating func isBeyondTheGap(_ transaction: Transaction, in block: Checkpoint?) {
    beyondCount += 1
    found.append(Self.changed(transaction, block == nil ? .pending : .confirmed, block))
  }

  /// Warnings for the user.
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
  /// Its hash in the format of Bitcoin servers; nil for other texts.
  var bitcoinID: String? {
    guard let id = PackedText.text(hash)?.lowercased(), id.utf8.count == 64,
      id.utf8.allSatisfy(ServerAnswer.isLowerHex)
    else { return nil }
    return id
  }
}
