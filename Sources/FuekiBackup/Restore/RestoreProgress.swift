public import FuekiWallet

/// The progress of a restore.
public enum RestoreProgress: Sendable {
  case began(RestoreStage)
  case reading(bytes: UInt64, of: UInt64)
  case restoring(Section, records: UInt64, of: UInt64)
  case ended(StageResult)
}
