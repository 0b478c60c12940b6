internal import FoundationEssentials
internal import FuekiWallet

/// A transaction with its inputs and outputs, as far as its source reports them.
struct BitcoinTransaction: Sendable {
  /// An input's or output's coin.
  struct Coin: Sendable {
    /// The script in hexadecimal.
    let script: String
    let address: String?
    let value: Int128
  }

  let id: String
  /// The inputs; nil for coinbase inputs, and for coins that the source does not describe.
  let inputs: [Coin?]
  let outputs: [Coin]
  /// The fee; nil if the source does not report it.
  let fee: Int128?
  /// Its block; nil if unconfirmed.
  let block: Checkpoint?

  /// Whether it pays to a script or spends from it.
  func moves(_ script: WatchedScript) -> Bool {
    outputs.contains { $0.script == script.hex } || inputs.contains { $0?.script == script.hex }
  }

  /// Returns its effect on a wallet; nil if it has none.
  ///
  /// The amount is net of change and fee, and never negative. `from` is the wallet's own address for
  /// payments, and `to` for receipts. The other field has the counterparty's address if there is a single
  /// one. The balance is therefore the sum of receipts minus payments with their fees.
  func record(of wallet: Wallet, _ isOwn: (Coin) -> Bool) -> Transaction? {
    let spent = inputs.compactMap { $0.flatMap { isOwn($0) ? $0 : nil } }
    let received = outputs.filter(isOwn)
    guard !spent.isEmpty || !received.isEmpty else { return nil }
    let paid = spent.reduce(0) { $0 + $1.value }
    let gained = received.reduce(0) { $0 + $1.value }
    let isAllOwn = !spent.isEmpty && spent.count == inputs.count
    var record = Transaction()
    record.walletID = wallet.id
    record.hash = PackedText.pack(id)
    if paid > gained || isAllOwn {
      // Other payers' inputs are unknown in a joint transaction, and so is this wallet's part of the fee.
      let ownFee = isAllOwn ? fee ?? 0 : 0
      record.amount = String(max(0, paid - gained - ownFee))
      if isAllOwn, let fee { record.fee = String(fee) }
      let others = outputs.filter { !isOwn($0) }
      record.from = Self.packed(spent.first?.address)
      record.to = Self.packed(others.isEmpty ? received.first?.address : Self.only(others))
    } else {
      record.amount = String(gained - paid)
      record.from = Self.packed(Self.only(inputs.filter { $0.map { !isOwn($0) } ?? true }))
      record.to = Self.packed(received.first?.address)
    }
    record.status = (block == nil ? TransactionStatus.pending : .confirmed).rawValue
    if let block {
      record.blockNumber = block.height
      if block.hasTime { record.timestamp = block.time }
    }
    return record
  }

  /// Returns the common address of coins; nil if there are several or none.
  private static func only(_ coins: [Coin?]) -> String? {
    let addresses = Set(coins.map { $0?.address })
    return addresses.count == 1 ? addresses.first.flatMap { $0 } : nil
  }

  private static func packed(_ address: String?) -> Data {
    PackedText.pack(address ?? "")
  }
}

/// A transaction from a node's wallet, which references its inputs without describing them.
struct CoreTransaction: Sendable {
  let id: String
  /// The references of its inputs; nil for coinbase inputs.
  let inputs: [(id: String, output: Int)?]
  let outputs: [BitcoinTransaction.Coin]
  /// The fee paid by the wallet; nil if it did not pay.
  let fee: Int128?
  /// Its block; nil if it is in none.
  let block: Checkpoint?
  /// Whether it was replaced or abandoned.
  let hasLost: Bool

  /// Parses the answer of `gettransaction`, including the decoded transaction.
  init(_ answer: ServerAnswer, _ bounds: CoinBounds) throws(SyncError) {
    id = try answer["txid"].hash
    let decoded = try answer["decoded"]
    inputs = try decoded["vin"].elements.map { input throws(SyncError) in
      guard let id = input.optional("txid") else { return nil }
      return (try id.hash, Int(clamping: try input["vout"].count))
    }
    outputs = try decoded["vout"].elements.map { output throws(SyncError) in
      let script = try output["scriptPubKey"]
      // Before version 22 there was a list, which for multisig names addresses other than the script's.
      let addresses = try script.optional("addresses")?.elements ?? []
      let address = script.optional("address") ?? (addresses.count == 1 ? addresses[0] : nil)
      return BitcoinTransaction.Coin(
        script: try script["hex"].text, address: try address?.text, value: try output["value"].coins(bounds))
    }
    fee = try answer.optional("fee").map { fee throws(SyncError) in try -fee.coins(bounds) }
    let confirmations = try answer["confirmations"].integer
    let details = try answer.optional("details")?.elements ?? []
    var hasLost = confirmations < 0
    for detail in details {
      if try detail.optional("abandoned")?.isTrue == true { hasLost = true }
      if try detail.optional("category")?.text == "orphan" { hasLost = true }
    }
    self.hasLost = hasLost
    guard confirmations > 0 else {
      block = nil
      return
    }
    var place = Checkpoint()
    place.height = try answer["blockheight"].height
    place.hash = PackedText.pack(try answer["blockhash"].hash)
    place.time = try answer["blocktime"].time
    block = place
  }

  /// Returns the transaction with its inputs described, as far as they are known.
  func described(by known: [String: CoreTransaction]) -> BitcoinTransaction {
    BitcoinTransaction(
      id: id,
      inputs: inputs.map { input in
        guard let input, let outputs = known[input.id]?.outputs, input.output < outputs.count else {
          return nil
        }
        return outputs[input.output]
      },
      outputs: outputs, fee: fee.flatMap { $0 < 0 ? nil : $0 }, block: block)
  }
}

/// Upper bounds of any Bitcoin-like chain, beyond which a server is not believed.
struct CoinBounds: Sendable {
  /// The maximum supply in the smallest unit.
  let supply: Int128

  /// From 500,000,000 on, a lock time means a time rather than a height, so blocks cannot be that high.
  static let highestHeight: UInt64 = 499_999_999
  private static let unitsPerCoin: Int128 = 100_000_000

  /// Returns the bounds of a network; Bitcoin's for an unknown one.
  init(of network: BitcoinNetwork?) {
    let coins: Int128 =
      switch network?.name.split(separator: "-").first {
      case "litecoin": 84_000_000
      // Its supply is unlimited, but grows by five thousand million a year and exceeds this only after 2180.
      case "dogecoin": 1_000_000_000_000
      default: 21_000_000
      }
    supply = coins * Self.unitsPerCoin
  }

  /// Validates a wallet's total balance from a server.
  func balance(_ sum: Int128) throws(SyncError) -> Int128 {
    guard 0...supply ~= sum else { throw .malformed(what: "an impossible balance") }
    return sum
  }

  /// Validates that a transaction moves no more than the supply.
  func check(_ transaction: BitcoinTransaction) throws(SyncError) -> BitcoinTransaction {
    let spent = transaction.inputs.compactMap { $0?.value }.reduce(0, +)
    let paid = transaction.outputs.map(\.value).reduce(transaction.fee ?? 0, +)
    guard spent <= supply, paid <= supply else {
      throw .malformed(what: "a transaction of more coins than there are")
    }
    return transaction
  }
}
