internal import FoundationEssentials
internal import FuekiWallet

/// The transactions of an Electrum wallet in satoshis, summed as the wallet does.
enum ElectrumHistory {
  private struct Movement {
    var received: Int64 = 0
    var sent: Int64 = 0
    var receiver = ""
    var sender = ""
  }

  /// Returns all transactions, sorted by hash.
  ///
  /// The labels are keyed by hash.
  ///
  /// Empty if there is no room for that many.
  static func transactions(
    _ root: GuardedValue, of wallet: Data, labels: [String: String], ifRoomFor hasRoom: (Int) -> Bool
  ) -> [Transaction] {
    var movements: [String: Movement] = [:]
    func heed(_ list: String, _ body: (inout Movement, _ address: String, _ value: Int64) -> Void) {
      for (hash, addresses) in root.member(list)?.members ?? [] {
        for (address, coins) in addresses.members {
          for value in values(of: coins) { body(&movements[hash, default: Movement()], address, value) }
        }
      }
    }
    heed("txo") { movement, address, value in
      movement.received = sum(movement.received, value)
      if movement.receiver.isEmpty { movement.receiver = address }
    }
    heed("txi") { movement, address, value in
      movement.sent = sum(movement.sent, value)
      if movement.sender.isEmpty { movement.sender = address }
    }
    for (hash, _) in root.member("transactions")?.members ?? [] where movements[hash] == nil {
      movements[hash] = Movement()
    }
    guard hasRoom(movements.count) else { return [] }
    let verified = root.member("verified_tx3") ?? root.member("verified_tx")
    let heights = Dictionary((verified?.members ?? []).map { ($0.name, $0.value) }) { $1 }
    let fees = Dictionary((root.member("tx_fees")?.members ?? []).map { ($0.name, $0.value) }) { $1 }
    return movements.sorted { $0.key < $1.key }.map { hash, movement in
      transaction(hash, movement, heights[hash], fees[hash], labels[hash], wallet)
    }
  }

  private static func transaction(
    _ hash: String, _ movement: Movement, _ verified: GuardedValue?, _ fees: GuardedValue?, _ label: String?,
    _ wallet: Data
  ) -> Transaction {
    var transaction = Transaction()
    transaction.id = ForeignNames.packed("electrum transaction", PackedText.text(wallet) ?? "", hash)
    transaction.walletID = wallet
    transaction.hash = PackedText.pack(hash)
    let net = movement.received - movement.sent
    let fee = (fees?.elements.first?.number).flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
    if net < 0 {
      transaction.from = PackedText.pack(movement.sender)
      // The amount that left the wallet, without the fee if known.
      transaction.amount = String(-net - min(fee ?? 0, -net))
    } else {
      transaction.to = PackedText.pack(movement.receiver)
      transaction.amount = String(net)
    }
    if let fee { transaction.fee = String(fee) }
    let numbers = verified?.elements ?? []
    if let height = (numbers.first?.number).flatMap({ UInt64($0) }), height > 0 {
      transaction.blockNumber = height
      transaction.status = TransactionStatus.confirmed.rawValue
    } else {
      transaction.status = TransactionStatus.pending.rawValue
    }
    if numbers.count > 1, let seconds = numbers[1].number,
      let time = Timestamp(seconds: seconds, since: .unix)
    {
      transaction.timestamp = time.microseconds
    }
    if let label { transaction.metadata = label }
    return transaction
  }

  /// Returns the values of coins: `[[place, value, …]]`, `{place: [value, …]}` or `{place: value}`.
  private static func values(of coins: GuardedValue) -> [Int64] {
    let numbers =
      coins.kind == .array
      ? coins.elements.map { $0.elements.dropFirst().first?.number }
      : coins.members.map { $0.value.number ?? $0.value.elements.first?.number }
    return numbers.compactMap { $0.flatMap { Int64($0) } }
  }

  /// Adds values from a file, which may overflow.
  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow || !(0...Int64.max / 4 ~= sum) ? a : sum
  }
}
