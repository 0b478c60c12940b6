/// The result of a check of key shares, set by set.
public struct ShareReport: Sendable {
  /// The sets, each of one key as far as its shares agree.
  public internal(set) var sets: [ShareSet]

  /// Whether nothing is wrong with any share.
  public var isSound: Bool { sets.allSatisfy(\.isSound) }
  /// Whether the available shares reach each set's threshold; false if unknown, or without shares.
  public var isEnough: Bool { !sets.isEmpty && sets.allSatisfy(\.isEnough) }
  /// The report as an archive's manifest keeps it: pairs `name=value` in a fixed order, for programs.
  public var manifestLines: [String] { sets.flatMap(\.manifestLines) }
}
