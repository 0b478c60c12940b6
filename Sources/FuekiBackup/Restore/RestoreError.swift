public import FuekiArchive

/// What stops a restore, other than the archive itself.
public enum RestoreError: Error, Equatable, Sendable {
  /// No restore into this data directory was stopped.
  case nothingStopped(path: String)
  /// The archive is not the one that the restore was begun with.
  case anotherArchive(path: String)
  /// What was given opens other scopes than what the restore was begun with.
  case opensOtherScopes([String], begunWith: [String])
  /// It was stopped part-way, and another run can go on with it.
  case stopped
  /// The archive has no wallet of this id.
  case noWallet(id: String)
  /// The archive has no such thing; the text is as ``Holding/item`` has it.
  case noItem(String)
  /// Records are there already and differ; nothing was changed.
  case conflicts([RestoreConflict])
  /// Key shares that the destination's have replaced.
  case olderShares([OlderShares])
  /// Keys of the archive are not those of its addresses.
  case proofsDiffer([Proof])
  /// Wallets that are dangerous when old or live twice, and nobody has said that they are wanted all the same.
  case hazards([HazardousWallet])
  /// The keychain of the wallet that is there does not open.
  case presentKeychainClosed
  /// The newest archive fails; the other is the newest that does not.
  case newestFails(path: String, verdict: Verdict, fallback: String?)
  /// What was given does not open the newest archive, but one below it.
  case opensOlder(OlderArchive)

  /// An archive that opens where the newest does not.
  public struct OlderArchive: Equatable, Sendable {
    /// The newest, which does not open.
    public let newest: String
    /// What it can be restored by.
    public let name: String
    /// Its sequence.
    public let sequence: UInt64
    /// When it was made, in seconds since 1970.
    public let created: UInt64
    /// How many archives of the vault stand above it.
    public let above: Int

    /// Names one.
    public init(below newest: String, name: String, sequence: UInt64, created: UInt64, above: Int) {
      self.newest = newest
      self.name = name
      self.sequence = sequence
      self.created = created
      self.above = above
    }
  }
}
