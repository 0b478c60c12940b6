/// The dangers of a wallet's copy, or of putting it back.
public enum WalletDanger: String, CaseIterable, Sendable {
  /// The secret is unencrypted.
  case clearSecret = "clear-secret"
  /// An old copy of Lightning channels is punished.
  case oldChannels = "old-channels"
  /// A static channel backup closes every channel.
  case closesChannels = "closes-channels"
  /// Two validators with one key are slashed.
  case signsTwice = "signs-twice"
  /// An old record of what was signed allows signing it again.
  case oldRecord = "old-record"
  /// An older copy lacks keys that were added later.
  case laterKeys = "later-keys"
  /// A share of an older set looks valid and is useless.
  case oldShares = "old-shares"
  /// The seed is elsewhere.
  case noSeed = "no-seed"
  /// Files that change together can be copied consistently only while the program is closed.
  case closeFirst = "close-first"
}
