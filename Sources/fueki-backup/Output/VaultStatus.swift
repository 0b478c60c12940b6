internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet

/// The status of a vault in a target.
struct VaultStatus {
  let vault: String
  /// Its name for display; nil if unknown.
  let name: String?
  let newest: StoredArchive?
  /// When the newest archive was made or found current, in seconds since 1970: by this machine's clock, else by its
  /// header, and never later than now.
  let made: Int64?
  let last: [Activity.Kind: Int64]
  /// When the last drill was, where it went wrong.
  let failedDrill: Int64?
  /// The newest archive's gaps in comparison with its sources.
  let missing: [String]
  /// The unencrypted keys that stay out of the newest archive by a decision.
  let declinedKeys: [DeclinedKeys]
  /// The findings on the backup of each wallet.
  let findings: [WalletFinding]
  /// The number of other programs' files that can be restored to a home; nil if unknown.
  let placedFiles: UInt64?
  /// The newest archive that another machine made since this machine's last one; nil if there is none.
  let otherMachine: OtherMachine?
  let problems: [String]
}
