internal import FuekiCrypto
internal import FuekiWallet

/// The `bark` program: an Ark wallet's contents are known only in its own data directory.
///
/// Off-chain movements have a number within one directory instead of a transaction hash. They are identified by
/// wallet, directory and number, and change with their status.
package struct BarkSource: ChainSource {
  private let program: BarkProgram
  /// bark's statuses of a movement, as a transaction's.
  private static let statuses: [String: TransactionStatus] = [
    "pending": .pending, "successful": .confirmed, "failed": .failed, "canceled": .dropped,
  ]

  /// Creates a source for the wallet in a data directory.
  ///
  /// - Parameters:
  ///   - directory: the directory, or its `file://` URL.
  ///   - program: the path of bark; nil to search `PATH`.
  ///   - deadline: the time limit in seconds, including bark's own requests to its server.
  package init(directory: String, program: String? = nil, deadline: Double = 120) {
    let scheme = "file://"
    let path = directory.hasPrefix(scheme) ? String(directory.dropFirst(scheme.count)) : directory
    self.program = BarkProgram(path: program, directory: path, deadline: deadline)
  }

  /// Returns all of bark's data on its wallet.
  public func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    // The first command updates the state, and the others report the same state.
    let answers = try await program.run([
      ["balance"], ["history", "--no-sync"], ["vtxos", "--no-sync"], ["onchain", "balance", "--no-sync"],
      ["onchain", "transactions", "--no-sync"],
    ])
    guard answers.count == 5 else { throw .malformed(what: "bark") }
    let (balance, history) = (answers[0].value, answers[1].value)
    let bounds = CoinBounds(of: BitcoinNetwork.named(query.wallet.chainID))
    var findings = WalletFindings(tip: query.wallet.lastSynced)
    if answers[0].hasWarned {
      findings.partial = .oldNumbers
    }

    var sum = try answers[3].value["total_sat"].units(bounds)
    // Outgoing amounts no longer belong to the wallet, unless they return.
    for name in [
      "spendable_sat", "claimable_lightning_receive_sat", "pending_in_round_sat", "pending_board_sat",
    ] {
      sum += try balance[name].units(bounds)
    }
    sum +=
      try balance.optional("pending_exit_sat").map { part throws(SyncError) in try part.units(bounds) } ?? 0
    findings.balance = String(try bounds.balance(sum))
    try compare(answers[2].value, with: try balance["spendable_sat"].units, &findings)

    for movement in try history.elements {
      findings.transactions.append(FoundTransaction(try record(of: movement, query.wallet, bounds)))
    }
    for entry in try answers[4].value.elements {
      let record = try onchainRecord(of: entry, query.wallet, bounds, &findings.tip)
      guard !record.hasBlockNumber || record.blockNumber >= query.startHeight else { continue }
      findings.transactions.append(FoundTransaction(record))
    }
    return findings
  }

  /// Compares the spendable coins with the spendable balance.
  private func compare(
    _ coins: ServerAnswer, with spendable: Int128, _ findings: inout WalletFindings
  ) throws(SyncError) {
    var sum: Int128 = 0
    for coin in try coins.elements where try coin["state"]["type"].text == "spendable" {
      sum += try coin["amount_sat"].units
    }
    guard sum != spendable else { return }
    findings.warnings.append(.coinsDiffer(sum: sum, balance: spendable))
  }

  private func record(
    of movement: ServerAnswer, _ wallet: Wallet, _ bounds: CoinBounds
  ) throws(SyncError) -> Transaction {
    let change = try movement["effective_balance_sat"].change(bounds)
    let fee = try movement["offchain_fee_sat"].units(bounds)
    var record = Transaction()
    record.walletID = wallet.id
    record.hash = PackedText.pack(identifier(try movement["id"].count, wallet))
    if change < 0 {
      // The change includes the fee.
      record.amount = String(max(0, -change - fee))
      record.fee = String(fee)
      record.from = wallet.address
      record.to = PackedText.pack(try only(movement["sent_to"]))
    } else {
      record.amount = String(change)
      record.to = PackedText.pack(try only(movement["received_on"]))
    }
    let status = try movement["status"].text
    guard let known = Self.statuses[status] else {
      throw .malformed(what: "the status of a movement of bark")
    }
    record.status = known.rawValue
    let created = try movement["time"]["created_at"]
    let completed = try movement["time"].optional("completed_at")
    guard let instant = Timestamp(try (completed ?? created).text) else {
      throw .malformed(what: "the time of a movement of bark")
    }
    record.timestamp = instant.microseconds
    record.metadata = try movement["subsystem"].value.source
    return record
  }

  /// Returns the single address of a movement; empty if there are several or none.
  private func only(_ destinations: ServerAnswer) throws(SyncError) -> String {
    let destinations = try destinations.elements
    guard destinations.count == 1 else { return "" }
    return try destinations[0]["destination"]["value"].text
  }

  private func identifier(_ number: UInt64, _ wallet: Wallet) -> String {
    let key = "\(PackedText.text(wallet.id) ?? "")\n\(program.directory)\n\(number)"
    return "bark:\(SHA256.hash(Array(key.utf8)).hex)"
  }

  private func onchainRecord(
    of entry: ServerAnswer, _ wallet: Wallet, _ bounds: CoinBounds, _ tip: inout Checkpoint
  ) throws(SyncError) -> Transaction {
    let change = try entry["balance_change_sat"].change(bounds)
    var record = Transaction()
    record.walletID = wallet.id
    record.hash = PackedText.pack(try entry["txid"].hash)
    if change < 0 {
      let fee = try entry.optional("onchain_fee_sat").map { fee throws(SyncError) in try fee.units(bounds) }
      record.amount = String(max(0, -change - (fee ?? 0)))
      if let fee { record.fee = String(fee) }
      record.from = wallet.address
    } else {
      record.amount = String(change)
      record.to = wallet.address
    }
    record.status = TransactionStatus.pending.rawValue
    guard let block = entry.optional("confirmation") else { return record }
    record.status = TransactionStatus.confirmed.rawValue
    record.blockNumber = try block["height"].height
    // bark does not report the chain's height, which is at least this.
    if record.blockNumber > tip.height {
      tip = Checkpoint()
      tip.height = record.blockNumber
      tip.hash = PackedText.pack(try block["hash"].hash)
    }
    return record
  }
}
