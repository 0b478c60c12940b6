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

extension StoreImport {
  /// What an import came to.
  public struct Outcome: Sendable, Equatable {
    /// How many records of each section are new.
    public internal(set) var added: [Section: UInt64] = [:]
    /// How many were there already, just so.
    public internal(set) var equal: [Section: UInt64] = [:]
    /// How many took the place of others.
    public internal(set) var replaced: [Section: UInt64] = [:]
    /// Records that are there and differ; with ``ImportConflictPolicy/fail`` nothing was added then.
    public internal(set) var conflicts: [Conflict] = []
  }

  /// A record that is there and differs.
  public struct Conflict: Sendable, Equatable {
    /// The record's section.
    public let section: Section
    /// Its id as text, or a setting's key.
    public let id: String
  }
}
