public import FoundationEssentials
public import FuekiWallet

/// What an import does with a record that the store has otherwise.
public enum ImportConflictPolicy: Sendable {
  /// Imports nothing at all.
  case fail
  /// Keeps what the store has.
  case keep
  /// Takes what is imported.
  case replace
}

/// A record that the store has otherwise.
public struct ImportConflict: Hashable, Sendable {
  /// The record's section.
  public let section: Section
  /// Its id as packed text, or a setting's key as UTF-8.
  public let id: Data
}

/// What an import came to.
public struct ImportReport: Sendable {
  /// Records that the store did not have.
  public internal(set) var inserted: [Section: UInt64] = [:]
  /// Records that the store has just so.
  public internal(set) var unchanged: [Section: UInt64] = [:]
  /// Records that took the place of others.
  public internal(set) var replaced: [Section: UInt64] = [:]
  /// Records that the store has otherwise, whatever was done with them.
  public internal(set) var conflicts: [ImportConflict] = []
  /// Whether the store was changed as the policy says; not so where it says to fail and there are conflicts.
  public internal(set) var isApplied = true
}
