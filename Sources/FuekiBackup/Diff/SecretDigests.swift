package import FuekiCrypto

/// Digests of secrets under a random key that is never stored.
///
/// Secrets can be compared without keeping them, and a digest reveals nothing about a short secret.
package struct SecretDigests: Sendable {
  private let key = RandomBytes.bytes(32)

  /// Draws a key.
  package init() {}

  /// The digest of a secret; equal secrets have equal digests under one key.
  package func digest(of secret: Span<UInt8>) -> Digest { SHA256.hash(key.span, secret) }

  /// The digest of a secret without the bytes in a range.
  func digest(of secret: Span<UInt8>, without left: Range<Int>?) -> Digest {
    guard let left else { return digest(of: secret) }
    var hash = SHA256()
    hash.update(key)
    hash.update(secret.extracting(..<left.lowerBound))
    hash.update(secret.extracting(left.upperBound...))
    return hash.finalize()
  }
}
