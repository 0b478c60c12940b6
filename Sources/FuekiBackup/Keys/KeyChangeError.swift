/// An error that stops a change of an archive's keys.
public enum KeyChangeError: Error, Equatable, Sendable {
  /// The secret opens only some scopes, and cannot change the archive's keys.
  case partlyOpen(closed: [String])
}
