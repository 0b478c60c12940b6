public import FuekiArchive

/// An error that stops a restore, apart from those of the archive itself.
public enum RestoreError: Error, Equatable, Sendable {
  /// No restore into this data directory was stopped.
  case nothingStopped(path: String)
  /// The interrupted restore used another archive.
  case anotherArchive(path: String)
  /// The secret opens other scopes than in the interrupted restore.
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
  /// Wallets that are dangerous when old or live twice, and were not confirmed.
  case hazards([HazardousWallet])
  /// The keychain of the wallet that is there does not open.
  case presentKeychainClosed
  /// The newest archive fails; the other is the newest that does not.
  case newestFails(path: String, verdict: Verdict, fallback: String?)
  /// The secret opens an older archive, but not the newest.
  case opensOlder(OlderArchive)

  /// An archive that opens where the newest does not.
  public struct OlderArchive: Equatable, Sendable {
    /// The newest, which does not open.
    public let newest: String
    /// The name to restore it by.
    public let name: String
    /// Its sequence.
    public let sequence: UInt64
    /// When it was made, in seconds since 1970.
    public let created: UInt64
    /// The number of newer archives of the vault.
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
