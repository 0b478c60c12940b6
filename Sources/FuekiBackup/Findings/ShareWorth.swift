internal import FuekiCrypto
internal import FuekiWallet

extension KnownShare {
  /// Returns the result for the backup of this share alone.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public func worth() throws -> WalletFinding.Result {
    let kinds = try ShareCheck.run([self], grouping: .byWallet).sets.flatMap(\.findings).map(\.kind)
    for kind in kinds {
      if let fault = kind.fault { return .faulty(fault) }
    }
    switch secret {
    case .absent, .closed: return .publicPart()
    case .unknownEncoding: return .notProved(.unknownScheme)
    case .malformed: return .faulty(.malformed)
    case .point:
      guard !descriptor.ownPublicPoint.isEmpty else { return .notProved(.nothingToCompare) }
      // Too few points to interpolate, or none: the share's own point is all that was compared.
      let hasGroup = !descriptor.points.isEmpty && !kinds.contains(where: \.leavesGroupOpen)
      return .proved(hasGroup ? .groupKey : .publicKey)
    }
  }
}

extension ShareFinding.Kind {
  fileprivate var fault: WalletFinding.Fault? {
    switch self {
    case .secretMalformed: .malformed
    case .secretDiffers, .wrongOwnPoint: .secretDiffers
    case .wrongGroupKey, .wrongPoint, .pointsDoNotFit, .ownPointsDoNotFit, .ownPointNotDeclared: .groupDiffers
    case .groupKeyNotOnCurve, .ownPointNotOnCurve, .pointNotOnCurve: .malformed
    case .fault: .malformed
    case .noDescriptor, .unknownCurve, .groupKeyMissing, .ownPointMissing, .pointsMissing, .placesUnusable,
      .secretNotRead, .mixed, .doubled, .tooFewPoints, .tooManyPoints, .thresholdDiffers, .otherAddress:
      nil
    }
  }

  fileprivate var leavesGroupOpen: Bool {
    switch self {
    case .groupKeyMissing, .pointsMissing, .placesUnusable, .tooFewPoints, .tooManyPoints: true
    case .fault, .noDescriptor, .unknownCurve, .groupKeyNotOnCurve, .ownPointMissing, .ownPointNotOnCurve,
      .ownPointNotDeclared, .pointNotOnCurve, .secretMalformed, .secretDiffers, .secretNotRead, .mixed,
      .doubled, .wrongPoint, .wrongOwnPoint, .wrongGroupKey, .pointsDoNotFit, .ownPointsDoNotFit,
      .thresholdDiffers, .otherAddress:
      false
    }
  }
}
