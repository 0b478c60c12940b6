/// The results of deriving the addresses of an archive's wallets again.
public struct ProofReport: Sendable {
  /// The wallets in the archive's order, then keystores, private keys and key shares that belong to none.
  public let proofs: [Proof]
  /// Key shares of older epochs than others of the same key, which these cannot sign with.
  public let olderShares: [OlderShares]

  /// The differences that were not there when the archive was made: a restore leaves these things in the archive.
  public internal(set) var withheld: [Proof] = []

  /// A report of nothing.
  public static let empty = ProofReport(proofs: [], olderShares: [])

  /// The mismatches.
  ///
  /// A restore warns of them.
  public var differences: [Proof] { proofs.filter(\.isDifference) }

  /// The report of a restore that withholds nothing.
  var accepted: ProofReport { ProofReport(proofs: proofs, olderShares: olderShares) }

  /// How many were proved, differ, and were not checked.
  public var tally: ProofTally {
    let (proved, differing) = (proofs.count { $0.isProved }, differences.count)
    return ProofTally(
      proved: proved, differing: differing, unchecked: proofs.count - proved - differing,
      withheld: withheld.count)
  }
}
