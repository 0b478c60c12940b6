internal import CSodium

/// Public randomness: salts, nonces and identifiers.
///
/// Keys come from ``SecretBytes/random(count:)`` instead.
public enum RandomBytes {
  /// Draws bytes from the system's generator.
  public static func bytes(_ count: Int) -> [UInt8] {
    // Without the generator no result could be trusted, and libsodium itself aborts on its failure.
    precondition(Sodium.isReady, "libsodium could not be started")
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe randombytes_buf(&bytes, count)
    return bytes
  }
}
