/// The handling of an existing file that differs.
public enum PlacingPolicy: String, Sendable, CaseIterable {
  /// The archive's stays in the archive.
  case fail
  /// Writes the archive's file next to it, as `NAME.restored-DATE`.
  case rename
  /// Writes the archive's file in its place, and keeps the other next to it, as `NAME.replaced-DATE`.
  case replace
}
