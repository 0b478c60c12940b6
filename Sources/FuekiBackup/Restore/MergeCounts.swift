/// How many records of a section a merge took, and how.
public struct MergeCounts: Equatable, Sendable {
  /// New ones.
  public var added: UInt64 = 0
  /// Those that were there, just so.
  public var equal: UInt64 = 0
  /// Those that were there and differed, whatever was done about them.
  public var differing: UInt64 = 0

  /// None yet.
  public init() {}

  /// All of them.
  public var all: UInt64 { added + equal + differing }
}
