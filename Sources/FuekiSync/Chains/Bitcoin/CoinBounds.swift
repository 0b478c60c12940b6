internal import FuekiWallet

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
