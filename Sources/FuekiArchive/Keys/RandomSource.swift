public import FuekiCrypto

/// Where keys, salts and nonces come from: the system, or a seed for test vectors.
public struct RandomSource: Sendable {
  private let draw: @Sendable (Int) throws(CryptoError) -> SharedSecret

  /// A source that hands out what `draw` returns, which must be as many bytes as asked for.
  public init(_ draw: @escaping @Sendable (Int) throws(CryptoError) -> SharedSecret) { self.draw = draw }

  /// The operating system's generator, through libsodium.
  public static let system = RandomSource { (count) throws(CryptoError) in
    SharedSecret(try SecretBytes.random(count: count))
  }

  /// `count` bytes that are to stay secret.
  public func secret(_ count: Int) throws(CryptoError) -> SharedSecret { try draw(count) }

  /// `count` bytes that will be public, such as a salt.
  public func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try draw(count).bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}
