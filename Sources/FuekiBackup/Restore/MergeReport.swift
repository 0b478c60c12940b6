public import FuekiWallet

/// The result of a merge, or its preview.
public struct MergeReport: Equatable, Sendable {
  /// How many records of each section.
  public var counts: [Section: MergeCounts] = [:]
  /// Every record that differs.
  public var conflicts: [RestoreConflict] = []
  /// Every new contact that may be confused with an existing one.
  public var namesakes: [Namesake] = []
  /// The place of the earlier data directory; nil if nothing was changed.
  public var previous: String?

  /// Nothing yet.
  public init() {}

  /// Whether the data directory stays as it is.
  public var changesNothing: Bool {
    counts.values.allSatisfy { $0.added == 0 }
      && conflicts.allSatisfy { $0.resolution == .none || $0.resolution == .kept }
  }
}
