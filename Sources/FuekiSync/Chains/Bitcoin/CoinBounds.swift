internal import FuekiWallet

/// What no chain of Bitcoin's kind can have: a server that says more is not believed.
struct CoinBounds: Sendable {
  /// All coins that will ever exist, in the smallest unit.
  let supply: Int128

  /// A lock time from 500,000,000 on is a time and not a height, so no block of these chains can be that high.
  static let highestHeight: UInt64 = 499_999_999
  private static let unitsPerCoin: Int128 = 100_000_000

  /// The bounds of a network; of one that is not known, Bitcoin's.
  init(of network: BitcoinNetwork?) {
    let coins: Int128 =
      switch network?.name.split(separator: "-").first {
      case "litecoin": 84_000_000
      // It has no end: five thousand million are added each year, which gets here after the year 2180.
      case "dogecoin": 1_000_000_000_000
      default: 21_000_000
      }
    supply = coins * Self.unitsPerCoin
  }

  /// The sum of what a server says that a wallet has.
  func balance(_ sum: Int128) throws(SyncError) -> Int128 {
    guard 0...supply ~= sum else { throw .malformed(what: "a balance that nobody can have") }
    return sum
  }

  /// A transaction that moves no more than there is.
  func check(_ transaction: BitcoinTransaction) throws(SyncError) -> BitcoinTransaction {
    let spent = transaction.inputs.compactMap { $0?.value }.reduce(0, +)
    let paid = transaction.outputs.map(\.value).reduce(transaction.fee ?? 0, +)
    guard spent <= supply, paid <= supply else {
      throw .malformed(what: "a transaction of more coins than there are")
    }
    return transaction
  }
}
