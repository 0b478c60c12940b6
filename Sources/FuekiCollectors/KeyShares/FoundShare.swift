internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A key share read from a file.
struct FoundShare {
  var descriptor: KeyShareDescriptor
  /// The secret in the descriptor's encoding; nil if the file has only the public part.
  var secret: SharedSecret?
  /// The value of its backup.
  var finding: WalletFinding
  /// Faults of its public part, in words.
  var faults: [String] = []
  /// Whether it signs for the wallet's current key.
  ///
  /// If not, it has no epoch to compare.
  var isCurrent = true
  /// Distinguishes independent ceremonies for one key; empty if there can be only one.
  var ceremony = ""
  /// The number of its file, or of a part of one.
  var document = 0

  /// The public shares of all parties, which are equal only within one epoch.
  var epoch: Set<Data> { Set(descriptor.points.map { $0.partyID + $0.point }) }
}
