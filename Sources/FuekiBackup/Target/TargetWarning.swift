public import FuekiSystem

/// Something that a target's file system does not do, so that the archive is there and less is promised of it.
public struct TargetWarning: Hashable, Sendable {
  /// The missing guarantee.
  public enum Kind: Hashable, Sendable {
    /// The file's permissions could not be set: others may read the sealed bytes.
    case permissions
    /// That the file's bytes are on the device was not confirmed.
    case fileNotSynced
    /// That the file's name is on the device was not confirmed.
    case nameNotSynced
  }

  /// The target's folder.
  public let path: ExactText
  /// The missing guarantee.
  public let kind: Kind
}
