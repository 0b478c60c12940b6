/// The reason for writing a file next to its place instead of into it.
public enum HoldReason: String, Sendable, CaseIterable {
  /// It holds Lightning channels.
  case channels = "lightning-channels"
  /// It is a static backup of Lightning channels, which closes them all.
  case channelBackup = "channel-backup"
  /// It is a validator's key.
  case validatorKey = "validator-key"
  /// It records the messages that a validator has signed.
  case slashingRecord = "slashing-record"

  /// The suffix of a file that is kept away from its program.
  static let suffix = ".fueki-hold"
}
