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

    /// Nothing yet.
    public init() {}

    /// Counts a record that is new.
    public mutating func note(added section: Section) { added[section, default: 0] += 1 }

    /// Counts a record that is there already, just so.
    public mutating func note(equal section: Section) { equal[section, default: 0] += 1 }

    /// Notes a record that is there and differs, and whether it took the other's place.
    public mutating func note(conflict section: Section, _ id: String, replaced isReplaced: Bool) {
      conflicts.append(Conflict(section: section, id: id))
      if isReplaced { replaced[section, default: 0] += 1 }
    }

    /// Adds what another part of the same import came to.
    public mutating func add(_ other: Outcome) {
      added.merge(other.added, uniquingKeysWith: +)
      equal.merge(other.equal, uniquingKeysWith: +)
      replaced.merge(other.replaced, uniquingKeysWith: +)
      conflicts += other.conflicts
    }

    /// How many records of each section are there and differ.
    public var differing: [Section: UInt64] {
      conflicts.reduce(into: [:]) { $0[$1.section, default: 0] += 1 }
    }
  }

  /// A record that is there and differs.
  public struct Conflict: Sendable, Equatable {
    /// The record's section.
    public let section: Section
    /// Its id as text, or a setting's key.
    public let id: String
  }
}
