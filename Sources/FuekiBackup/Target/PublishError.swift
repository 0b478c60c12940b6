/// An error that stops a backup after the collection.
public enum PublishError: Error, Equatable, Sendable {
  /// Nothing would be in the archive: what was left out, and why.
  case nothingToBackUp(leftOut: [String])
  /// Nothing is left of parts of the vault's last archive, as on a machine that was emptied.
  case emptied([EmptiedPart])
  /// The requested differential archive cannot be made.
  case notDifferential(FullReason)
}
