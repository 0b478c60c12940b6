internal import FuekiWallet

/// What differs from one family of chains to the next.
struct ChainRules: Sendable {
  /// How many blocks may yet be given up for others; below what was synced, so many are looked at again.
  let reorganisationMargin: UInt64

  static func of(_ wallet: Wallet) -> ChainRules {
    switch wallet.family {
    case .evm: ChainRules(reorganisationMargin: 64)
    case .bitcoin: ChainRules(reorganisationMargin: 12)
    case .other: ChainRules(reorganisationMargin: 100)
    }
  }
}

/// Where a resync begins.
public enum SyncStart: Equatable, Sendable {
  /// Where the last one ended, else at the wallet's birthday, else at the first block; less a margin.
  case lastSynced
  /// At the wallet's birthday, less a margin, whatever was synced since.
  case birthday
  /// At a height.
  case height(UInt64)

  func height(for wallet: Wallet) -> UInt64 {
    let margin = ChainRules.of(wallet).reorganisationMargin
    let birthday = wallet.hasBirthday ? wallet.birthday.height : 0
    let height: UInt64
    switch self {
    case .height(let given): return given
    case .birthday: height = birthday
    case .lastSynced: height = wallet.hasLastSynced ? wallet.lastSynced.height : birthday
    }
    return height > margin ? height - margin : 0
  }
}
