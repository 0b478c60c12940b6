internal import CSodium

/// The 32 bytes of a SHA-256 or Keccak-256 hash.
///
/// Stored as four words, so that creating, comparing and keeping digests allocates nothing.
public struct Digest: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The length of every digest.
  public static let byteCount = 32

  /// The digest of 32 zero bytes, which means "none" in the format.
  ///
  /// No known input hashes to it.
  public static let zero = Digest(words: (0, 0, 0, 0))

  // Big-endian, so that the order of the words is the order of the bytes.
  private let first, second, third, fourth: UInt64

  init(words: (UInt64, UInt64, UInt64, UInt64)) {
    (first, second, third, fourth) = words
  }

  /// Creates a digest from 32 bytes; nil for any other length.
  public init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(words: (bytes.word(at: 0), bytes.word(at: 8), bytes.word(at: 16), bytes.word(at: 24)))
  }

  /// Creates a digest from 32 bytes; nil for any other length.
  public init?(bytes: [UInt8]) { self.init(bytes: bytes.span) }

  /// Reads 64 hexadecimal digits; nil for any other text.
  public init?(hex: String) {
    guard let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes: bytes)
  }

  /// The bytes, in a new array for each access.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    append(to: &bytes)
    return bytes
  }

  /// The digest as a little-endian number of 256 bits, the least significant word first.
  package var littleEndianWords: (UInt64, UInt64, UInt64, UInt64) {
    (first.byteSwapped, second.byteSwapped, third.byteSwapped, fourth.byteSwapped)
  }

  /// Appends the 32 bytes to an array.
  public func append(to bytes: inout [UInt8]) {
    bytes.append(word: first)
    bytes.append(word: second)
    bytes.append(word: third)
    bytes.append(word: fourth)
  }

  /// The bytes in lower-case hexadecimal.
  public var hex: String { Hex.encode(bytes) }

  /// The same as ``hex``.
  public var description: String { hex }

  /// Orders digests by their bytes.
  public static func < (a: Digest, b: Digest) -> Bool {
    (a.first, a.second, a.third, a.fourth) < (b.first, b.second, b.third, b.fourth)
  }
}

/// SipHash-2-4 with 128 bits of output: a short keyed hash for tables that an attacker cannot flood.
///
/// See J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", 2012, and the reference's `siphash128`.
public struct SipHash: Sendable {
  /// The length of a key.
  static let keyByteCount = 16

  private let key: [UInt8]

  /// - Parameter key: 16 bytes; nil for any other length.
  package init?(key: [UInt8]) {
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
