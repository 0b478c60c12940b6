package import FoundationEssentials
public import FuekiCrypto
public import FuekiWallet

/// A key share in a check: its public side, and the public point of its secret if that was opened.
public struct KnownShare: Sendable {
  /// The known facts of a secret.
  public enum Secret: Hashable, Sendable {
    /// Only the public side is here.
    case absent
    /// It may be here, and was not opened.
    case closed
    /// It is here, in an encoding that cannot be read.
    case unknownEncoding(String)
    /// It is here, and holds no scalar of its curve.
    case malformed
    /// It is here, and this is its public point.
    case point([UInt8])
  }

  /// The public side.
  public let descriptor: KeyShareDescriptor
  /// The known facts of the secret.
  public let secret: Secret
  /// The faults that the share's source found, in its own words.
  public let faults: [String]

  /// Creates a share whose public side alone is read.
  ///
  /// - Parameters:
  ///   - descriptor: the public side.
  ///   - secret: ``Secret/absent`` or ``Secret/closed``.
  public init(_ descriptor: KeyShareDescriptor, secret: Secret) {
    self.descriptor = descriptor
    self.secret = secret
    faults = []
  }

  /// Creates a share with its secret, of which only the public point is kept.
  ///
  /// - Parameters:
  ///   - descriptor: the public side.
  ///   - secret: in the descriptor's encoding.
  ///   - encodings: the readable encodings.
  ///   - faults: the faults that the share's source found.
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public init(
    _ descriptor: KeyShareDescriptor, secret: SharedSecret, encodings: [ShareEncoding], faults: [String] = []
  ) throws {
    self.descriptor = descriptor
    self.faults = faults
    guard let encoding = encodings.first(where: { $0.name == descriptor.encoding }),
      let curve = Curve(rawValue: descriptor.curve)
    else {
      self.secret = .unknownEncoding(descriptor.encoding)
      return
    }
    self.secret = try encoding.publicPoint(of: secret, on: curve).map(Secret.point) ?? .malformed
  }

  /// How findings name the share.
  public var name: ShareName { ShareName(descriptor) }

  /// The x coordinate without zeros in front, so that two spellings of it are the same.
  var place: [UInt8] { Self.place(descriptor.partyID) }

  /// The point that represents the share in sums: its secret's, else its descriptor's.
  var bestPoint: [UInt8] {
    if case .point(let point) = secret { return point }
    return [UInt8](descriptor.ownPublicPoint)
  }

  /// Whether the secret is present and matches the descriptor, as far as it can be read.
  public var isUsable: Bool {
    switch secret {
    case .absent, .closed, .malformed: false
    case .unknownEncoding: true
    case .point(let point): descriptor.ownPublicPoint.isEmpty || point == [UInt8](descriptor.ownPublicPoint)
    }
  }

  static func place(_ partyID: Data) -> [UInt8] { Array([UInt8](partyID).drop { $0 == 0 }) }
}

/// The name of a share: its owner's name for it, and the id that never changes.
public struct ShareName: Hashable, Sendable {
  /// 16 bytes.
  public let id: [UInt8]
  /// The name that its owner or its source uses; may be empty.
  public let text: String

  init(_ descriptor: KeyShareDescriptor) {
    id = [UInt8](descriptor.id)
    text = descriptor.name
  }

  /// The owner's name, or else the beginning of the id.
  public var short: String { text.isEmpty ? String(Hex.encode(id).prefix(8)) : text }
}

/// A way in which a key share's secret bytes hold its scalar.
public struct ShareEncoding: Sendable {
  /// The name of the encoding in descriptors.
  public let name: String
  private let readPoint: @Sendable (SharedSecret, Curve) throws -> [UInt8]?

  /// - Parameters:
  ///   - name: as in descriptors.
  ///   - readPoint: multiplies the generator by the secret's scalar; nil if the bytes contain none. The secret must not
  ///     leave ``SecretBytes``.
  public init(name: String, readPoint: @escaping @Sendable (SharedSecret, Curve) throws -> [UInt8]?) {
    self.name = name
    self.readPoint = readPoint
  }

  /// 32 bytes, big-endian.
  public static let scalar = ShareEncoding(name: "scalar") { secret, curve in
    do throws(CryptoError) {
      return try CurvePoint.multiplyBase(secret.bytes, on: curve)
    } catch .invalidKey {
      return nil
    }
  }

  /// Returns the public point of a secret in this encoding; nil if the bytes contain no scalar of the curve.
  func publicPoint(of secret: SharedSecret, on curve: Curve) throws -> [UInt8]? {
    try readPoint(secret, curve)
  }
}

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
  package static func undescribed(_ id: Data) -> KeyShareDescriptor {
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
