package import FuekiArchive
package import FuekiWallet

/// The status of a vault in a target.
package struct VaultStatus: Sendable {
  package let vault: VaultID
  /// Its name for display; nil if unknown.
  package let name: String?
  package let newest: StoredArchive?
  /// When the newest archive was made or found current, in seconds since 1970: by this machine's clock, else by its
  /// header, which may say any time.
  package let made: Int64?
  package let last: [Activity.Kind: Int64]
  /// When the last drill was, where it went wrong.
  package let failedDrill: Int64?
  /// When the newest archive was last verified, where that found it damaged.
  package let failedVerification: Int64?
  /// The newest archive's gaps in comparison with its sources, as its run reported them.
  package let gaps: [String]
  /// The things of worth that earlier archives have, and the newest has not.
  package let losses: [Absence]
  /// The unencrypted keys that stay out of the newest archive by a decision.
  package let declinedKeys: [DeclinedKeys]
  /// The findings on the backup of each wallet.
  package let findings: [WalletFinding]
  /// The number of other programs' files that can be restored to a home; nil if unknown.
  package let placedFiles: UInt64?
  /// The newest archive that another machine made since this machine's last one; nil if there is none.
  package let otherMachine: OtherMachine?
  package var problems: [StatusProblem]

  /// Whether the newest archive lacks anything that its sources held or an earlier archive has.
  package var lacksAnything: Bool { !gaps.isEmpty || !losses.isEmpty }
}
