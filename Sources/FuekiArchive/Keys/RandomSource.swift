public import FuekiCrypto

/// A source of keys, salts and nonces: the system, or a seed for test vectors.
public struct RandomSource: Sendable {
  private let draw: @Sendable (Int) throws(CryptoError) -> SharedSecret

  /// Creates a source from `draw`, which must return the requested number of bytes.
  public init(_ draw: @escaping @Sendable (Int) throws(CryptoError) -> SharedSecret) { self.draw = draw }

  /// The operating system's generator, through libsodium.
  public static let system = RandomSource { (count) throws(CryptoError) in
    SharedSecret(try SecretBytes.random(count: count))
  }

  /// Draws `count` bytes that stay secret.
  public func secret(_ count: Int) throws(CryptoError) -> SharedSecret { try draw(count) }

  /// Draws `count` bytes that become public, such as a salt.
  public func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try draw(count).bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}
