/// Files that do harm where their program finds them: a validator's key that another machine has too, a channel
/// database that is older than the channels.
enum PlacingHazards {
  /// The suffix of a file that is kept away from its program.
  static let suffix = ".fueki-hold"

  /// Returns the reason to hold a file back; nil if it goes to its place.
  static func reason(for file: OriginalFile) -> HoldReason? {
    let name =
      file.path.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let lower = name.lowercased()
    if staticBackupFormats.contains(file.format) || staticBackupNames.contains(lower) {
      return .channelBackup
    }
    if file.hazards.contains("lightning") || channelFormats.contains(file.format)
      || channelNames.contains(lower)
    {
      return .channels
    }
    if file.hazards.contains("validator") || file.format == "eip2335-keystore"
      || validatorNames.contains(lower)
      || lower.hasPrefix("keystore-m_12381_")
    {
      return .validatorKey
    }
    let folders = (file.place ?? file.path).split(separator: UInt8(ascii: "/"))
      .map { String(decoding: $0, as: UTF8.self).lowercased() }.dropLast()
    if file.format.hasPrefix(SlashingRecord.format) || lower.hasPrefix("slashing_protection")
      || recordNames.contains(lower) || folders.contains(where: recordFolders.contains)
    {
      return .slashingRecord
    }
    return nil
  }

  private static let staticBackupFormats: Set<String> = ["lnd-channel-backup", "core-lightning-recover"]
  private static let staticBackupNames: Set<String> = ["channel.backup", "emergency.recover"]
  private static let channelFormats: Set<String> = ["lnd-channel-db", "core-lightning-db"]
  private static let channelNames: Set<String> = [
    "channel.db", "channel.sqlite", "lightningd.sqlite3", "eclair.sqlite",
  ]
  /// Lighthouse's, and Prysm's wallet of all keys.
  private static let validatorNames: Set<String> = ["voting-keystore.json", "all-accounts.keystore.json"]
  /// Prysm's; Teku has a folder of its own.
  private static let recordNames: Set<String> = ["validator.db"]
  private static let recordFolders: Set<String> = ["slashprotection"]
}

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
}
