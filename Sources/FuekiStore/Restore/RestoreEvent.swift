internal import FuekiArchive
public import FuekiBackup

/// An event during a restore.
public enum RestoreEvent: Sendable {
  /// A stage starts, continues or ends.
  case progress(RestoreProgress)
  /// A restore of this archive was stopped here, and this one starts over.
  case beginsAnew(archive: String)
  /// A restore whose journal cannot be read was stopped here.
  case journalUnreadable
  /// The stopped run's staged data is unusable, and is staged again.
  case stagedAnew
  /// The archive belongs to another vault than the existing wallet, which keeps its own.
  case anotherVault
  /// The archive is not proven to be the user's, so this machine does not continue its vault.
  case vaultNotContinued(isDamaged: Bool)
  /// A file was put back.
  case putBack(String)
}
