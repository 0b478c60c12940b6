public import FuekiSystem

/// An original file that is in another place than before.
public struct FileMove: Hashable, Sendable {
  /// Its name in the earlier archive.
  public let from: ExactText
  /// Its present name.
  public let to: ExactText
  /// Whether the last archive already had the present file: one of two copies is gone.
  public let isCopy: Bool
}
