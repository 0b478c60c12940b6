public import FuekiCrypto
public import FuekiWallet
internal import FoundationEssentials

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
