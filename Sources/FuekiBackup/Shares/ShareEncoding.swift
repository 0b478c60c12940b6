public import FuekiCrypto

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
