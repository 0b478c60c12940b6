/// The options of a restore, whether from the command line or an app.
public struct RestoreOptions: Equatable, Sendable {
  /// Restore even if a newer archive is known, and even older key shares.
  public var acceptsOlder = false
  /// Restore even what was proved when the archive was made, and differs now.
  public var acceptsDifferences = false
  /// Salvage the intact parts of a damaged archive.
  public var salvages = false

  /// Creates the options of a restore that accepts only the newest archive, and only if it is intact.
  public init() {}
}
