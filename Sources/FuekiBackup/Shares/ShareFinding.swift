/// Something that a check of key shares found.
public struct ShareFinding: Hashable, Sendable {
  /// What all shares of a set have to agree on.
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

  /// What was found.
  public enum Kind: Hashable, Sendable {
    // Of one share, as its source or its descriptor has it.
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
    // Of its secret.
    case secretMalformed
    case secretDiffers
    case secretNotRead(encoding: String)
    // Of the set.
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
    // Of a wallet that the shares belong to.
    case otherAddress(wallet: String, address: String)
  }

  /// The shares that it is about; none where it is about all of the set.
  public let shares: [ShareName]
  /// What was found.
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
