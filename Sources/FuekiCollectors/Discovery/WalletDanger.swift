/// What can go wrong with a copy of a wallet, or with putting it back.
public enum WalletDanger: String, CaseIterable, Sendable {
  /// The secret is not encrypted.
  case clearSecret = "clear-secret"
  /// An old copy of Lightning channels is punished.
  case oldChannels = "old-channels"
  /// A static channel backup closes every channel.
  case closesChannels = "closes-channels"
  /// Two validators with one key are slashed.
  case signsTwice = "signs-twice"
  /// An old record of what was signed allows signing it again.
  case oldRecord = "old-record"
  /// Keys that were added later are not in an older copy.
  case laterKeys = "later-keys"
  /// A share of an older set looks valid and is useless.
  case oldShares = "old-shares"
  /// The seed is elsewhere.
  case noSeed = "no-seed"
  /// Files that change together are copied whole only while the program is closed.
  case closeFirst = "close-first"

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .clearSecret: "the secret is not encrypted: whoever reads a copy of the file has the money"
    case .oldChannels: "an old copy of Lightning channels forfeits their funds if it is ever used"
    case .closesChannels: "restoring it closes every channel, and channels opened later are not in it"
    case .signsTwice: "two machines that run with the same key are slashed: stop the old one first"
    case .oldRecord: "an older record forgets what was signed since: merge it, never replace a newer one"
    case .laterKeys: "keys and labels added later are not in an older copy"
    case .oldShares: "after a reshare or refresh an older share looks valid but signs with no other party"
    case .noSeed: "this is not the money: the seed is elsewhere, and must be kept as well"
    case .closeFirst: "close the program for a backup: its files change together"
    }
  }
}
