internal import FuekiWallet

/// The starting point of a resync.
public enum SyncStart: Equatable, Sendable {
  /// The end of the last resync, else the wallet's birthday, else the first block; minus a margin.
  case lastSynced
  /// The wallet's birthday minus a margin, whatever was synced since.
  case birthday
  /// A given height.
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
