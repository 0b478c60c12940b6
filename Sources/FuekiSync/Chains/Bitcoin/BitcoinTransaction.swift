internal import FoundationEssentials
internal import FuekiWallet

/// A transaction with what it spends and pays, as far as its source tells.
struct BitcoinTransaction: Sendable {
  /// A coin that was spent or made.
  struct Coin: Sendable {
    /// The script in hexadecimal.
    let script: String
    let address: String?
    let value: Int128
  }

  let id: String
  /// What it spends; nil for new coins, and for coins that the source does not describe.
  let inputs: [Coin?]
  let outputs: [Coin]
  /// What it leaves to miners; nil where the source does not tell.
  let fee: Int128?
  /// Where it is; nil while it waits.
  let block: Checkpoint?

  /// Whether it pays to a script, or spends what that was paid.
  func moves(_ script: WatchedScript) -> Bool {
    outputs.contains { $0.script == script.hex } || inputs.contains { $0?.script == script.hex }
  }

  /// What it did to a wallet; nil where it has nothing to do with it.
  ///
  /// The amount is net of change and of the fee, and never negative: `from` is the wallet's own address where the
  /// wallet pays, and `to` where it is paid. The other side's address stands there where there is but one. So the
  /// balance is what came in, less what went out with its fees.
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
      // What others paid for a common transaction is not known, and so neither is this wallet's part of the fee.
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

  /// The address that all of some coins have; nil where there are several, or none.
  private static func only(_ coins: [Coin?]) -> String? {
    let addresses = Set(coins.map { $0?.address })
    return addresses.count == 1 ? addresses.first.flatMap { $0 } : nil
  }

  private static func packed(_ address: String?) -> Data {
    PackedText.pack(address ?? "")
  }
}
