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
