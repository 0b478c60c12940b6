/// An error that stops a backup after the collection.
public enum PublishError: Error, Equatable, Sendable {
  /// The archive would be empty.
  ///
  /// Has the exclusions, with their reasons.
  case nothingToBackUp(leftOut: [String])
  /// Nothing is left of parts of the vault's last archive, as on a machine that was emptied.
  case emptied([EmptiedPart])
  /// The requested differential archive cannot be made.
  case notDifferential(FullReason)
}
