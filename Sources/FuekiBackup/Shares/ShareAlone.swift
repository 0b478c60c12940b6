internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

extension KnownShare {
  /// Returns the faults of the share by itself, without any other.
  func findingsAlone() -> [ShareFinding.Kind] {
    guard descriptor != Self.undescribed(descriptor.id) else { return [.noDescriptor] }
    var kinds = faults.map(ShareFinding.Kind.fault)
    guard let curve = Curve(rawValue: descriptor.curve) else {
      return kinds + [.unknownCurve(descriptor.curve)]
    }
    kinds += pointFindings(curve)
    switch secret {
    case .absent, .closed: break
    case .unknownEncoding(let name): kinds.append(.secretNotRead(encoding: name))
    case .malformed: kinds.append(.secretMalformed)
    case .point(let point):
      if !descriptor.ownPublicPoint.isEmpty, point != [UInt8](descriptor.ownPublicPoint) {
        kinds.append(.secretDiffers)
      }
    }
    return kinds
  }

  /// Returns the descriptor of a share without one in its archive.
  static func undescribed(_ id: Data) -> KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    descriptor.id = id
    return descriptor
  }

  private func pointFindings(_ curve: Curve) -> [ShareFinding.Kind] {
    var kinds: [ShareFinding.Kind] = []
    let own = [UInt8](descriptor.ownPublicPoint)
    // Its source has already reported missing facts that it had wrong.
    if descriptor.groupPublicKey.isEmpty {
      if faults.isEmpty { kinds.append(.groupKeyMissing) }
    } else if !CurvePoint.isValid([UInt8](descriptor.groupPublicKey), on: curve) {
      kinds.append(.groupKeyNotOnCurve)
    }
    if own.isEmpty {
      if faults.isEmpty { kinds.append(.ownPointMissing) }
    } else if !CurvePoint.isValid(own, on: curve) {
      kinds.append(.ownPointNotOnCurve)
    }
    let points = descriptor.points
    for (party, point) in points.enumerated() where !CurvePoint.isValid([UInt8](point.point), on: curve) {
      kinds.append(.pointNotOnCurve(party: party))
    }
    if descriptor.hasTotal, !points.isEmpty, points.count < Int(descriptor.total), faults.isEmpty {
      kinds.append(.pointsMissing(stated: points.count, total: Int(descriptor.total)))
    }
    if !points.isEmpty, !own.isEmpty, DeclaredPoints(descriptor)[place] != own {
      kinds.append(.ownPointNotDeclared)
    }
    return kinds
  }
}
