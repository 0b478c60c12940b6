/// What stops a backup once everything is collected.
public enum PublishError: Error, Equatable, Sendable {
  /// Nothing would be in the archive: what was left out, and why.
  case nothingToBackUp(leftOut: [String])
  /// The new archive has lost much of what the vault's last one has.
  case loss([SectionShrinkage])
  /// A differential archive was asked for, and cannot be made.
  case notDifferential(FullReason)
}
