internal import CSodium

/// SipHash-2-4 with 128 bits of output: a short keyed hash for tables that an attacker cannot flood.
///
/// See J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", 2012, and the reference's `siphash128`.
public struct SipHash: Sendable {
  /// The length of a key.
  public static let keyByteCount = 16

  private let key: [UInt8]

  /// - Parameter key: 16 bytes; nil for any other length.
  public init?(key: [UInt8]) {
    guard key.count == Self.keyByteCount else { return nil }
    self.key = key
  }

  /// Uses the first 16 bytes of a digest as the key.
  public init(_ digest: Digest) { key = Array(digest.bytes.prefix(Self.keyByteCount)) }

  /// Hashes bytes.
  ///
  /// - Returns: the 16 bytes of output as two numbers, each with its least significant byte first.
  public func hash(_ bytes: Span<UInt8>) -> (first: UInt64, second: UInt64) {
    var output = InlineArray<2, UInt64>(repeating: 0)
    var words = output.mutableSpan
    unsafe words.withUnsafeMutableBytes { output in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe key.withUnsafeBufferPointer { key in
          guard let output = unsafe output.bindMemory(to: UInt8.self).baseAddress,
            let key = key.baseAddress
          else { return }
          // The call cannot fail. An empty input has no address.
          _ = unsafe crypto_shorthash_siphashx24(output, input.baseAddress, UInt64(input.count), key)
        }
      }
    }
    return (UInt64(littleEndian: output[0]), UInt64(littleEndian: output[1]))
  }
}
