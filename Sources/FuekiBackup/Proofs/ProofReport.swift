/// The results of deriving the addresses of an archive's wallets again.
public struct ProofReport: Sendable {
  /// The wallets in the archive's order, then keystores, private keys and key shares that belong to none.
  public let proofs: [Proof]
  /// Key shares of older epochs than others of the same key, which these cannot sign with.
  public let olderShares: [OlderShares]

  /// A report of nothing.
  public static let empty = ProofReport(proofs: [], olderShares: [])

  /// The mismatches.
  ///
  /// A restore never accepts them silently.
  public var differences: [Proof] { proofs.filter(\.isDifference) }

  /// The report, unless something in it differs and that was not accepted.
  ///
  /// - Throws: ``RestoreError/proofsDiffer(_:)``.
  func accepted(_ acceptsDifferences: Bool) throws(RestoreError) -> ProofReport {
    guard acceptsDifferences || differences.isEmpty else { throw .proofsDiffer(differences) }
    return self
  }

  /// How many were proved, differ, and were not checked.
  public var tally: ProofTally {
    let (proved, differing) = (proofs.count { $0.isProved }, differences.count)
    return ProofTally(proved: proved, differing: differing, unchecked: proofs.count - proved - differing)
  }
}
