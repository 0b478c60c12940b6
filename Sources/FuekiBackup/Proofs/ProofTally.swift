/// The numbers of results of deriving addresses again.
public struct ProofTally: Equatable, Sendable {
  /// How many are those of their keys.
  public let proved: Int
  /// How many are not.
  public let differing: Int
  /// The number of unchecked ones.
  public let unchecked: Int
  /// How many of the differing ones were left in the archive.
  public let withheld: Int

  /// Numbers of each kind.
  public init(proved: Int = 0, differing: Int = 0, unchecked: Int = 0, withheld: Int = 0) {
    self.proved = proved
    self.differing = differing
    self.unchecked = unchecked
    self.withheld = withheld
  }
}
