/// Why SQLite could not prepare or execute a statement.
public enum StatementError: Error, Equatable, Sendable {
  /// SQLite refused, with its extended result code.
  case refused(code: Int32)
}
