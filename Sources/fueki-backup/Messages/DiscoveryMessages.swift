package import FuekiCollectors

extension WalletDanger {
  /// The danger, and the advice.
  package var sentence: String {
    switch self {
    case .clearSecret: "the secret is not encrypted: anyone who reads a copy of the file has the money"
    case .oldChannels: "an old copy of Lightning channels forfeits their funds if it is ever used"
    case .closesChannels: "restoring it closes every channel, and channels opened later are not in it"
    case .signsTwice: "two validators that run with the same key are slashed: stop the old one first"
    case .oldRecord: "an older record forgets what was signed since: merge it, never replace a newer one"
    case .laterKeys: "keys and labels added later are not in an older copy"
    case .oldShares: "after a reshare or refresh an older share looks valid but signs with no other party"
    case .noSeed: "this cannot spend: the seed is elsewhere. Keep it, too"
    case .closeFirst: "close the program for a backup: its files change together"
    }
  }
}
