/// What stops a change of an archive's keys.
public enum KeyChangeError: Error, Equatable, Sendable {
  /// What opens only some scopes was asked to change the archive's keys.
  case partlyOpen(closed: [String])
}
