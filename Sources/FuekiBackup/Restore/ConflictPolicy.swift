/// The handling of an existing record that differs.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// Changes nothing at all, and lists every such record.
  case fail
  /// Keeps the existing record.
  case skip
  /// Uses the record changed last; keeps the existing one if the times do not decide.
  case newer
  /// Takes the archive's.
  case replace
  /// Keeps the existing record, and adds the archive's wallets and contacts next to it under other names.
  case rename
}
