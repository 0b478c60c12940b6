/// Something that a check of key shares found.
public struct ShareFinding: Hashable, Sendable {
  /// An aspect in which all shares of a set must agree.
  public enum Aspect: String, Sendable {
    case curve, `protocol`, key, epoch, threshold, points
  }

  /// The shares of a mixed set that have the same value.
  public struct Part: Hashable, Sendable {
    /// The value, as text for people.
    public let value: String
    /// The shares that have it.
    public let shares: [ShareName]
  }

  /// The kind of finding.
  public enum Kind: Hashable, Sendable {
    // On one share, according to its source or its descriptor.
    case fault(String)
    case noDescriptor
    case unknownCurve(String)
    case groupKeyMissing
    case groupKeyNotOnCurve
    case ownPointMissing
    case ownPointNotOnCurve
    case ownPointNotDeclared
    case pointNotOnCurve(party: Int)
    case pointsMissing(stated: Int, total: Int)
    case placesUnusable
    // On its secret.
    case secretMalformed
    case secretDiffers
    case secretNotRead(encoding: String)
    // On the set.
    case mixed(Aspect, [Part])
    case doubled
    case wrongPoint(party: Int)
    case wrongOwnPoint
    case wrongGroupKey
    case pointsDoNotFit
    case ownPointsDoNotFit
    case tooFewPoints
    case tooManyPoints(Int)
    case thresholdDiffers(stated: Int, found: Int)
    // On a wallet that the shares belong to.
    case otherAddress(wallet: String, address: String)
  }

  /// The shares concerned; empty for the whole set.
  public let shares: [ShareName]
  /// The kind of finding.
  public let kind: Kind

  /// Whether something is wrong, and not merely unknown or remarkable.
  public var isDifference: Bool {
    switch kind {
    case .secretNotRead, .tooFewPoints, .tooManyPoints, .otherAddress: false
    case .fault, .noDescriptor, .unknownCurve, .groupKeyMissing, .groupKeyNotOnCurve, .ownPointMissing,
      .ownPointNotOnCurve, .ownPointNotDeclared, .pointNotOnCurve, .pointsMissing, .placesUnusable,
      .secretMalformed,
      .secretDiffers, .mixed, .doubled, .wrongPoint, .wrongOwnPoint, .wrongGroupKey, .pointsDoNotFit,
      .ownPointsDoNotFit, .thresholdDiffers:
      true
    }
  }
}
