extension Ed25519 {
  /// A signer's public key, 32 bytes.
  ///
  /// It has the right length but may not be a point of the curve, in which case no signature verifies under
  /// it. Stored as four words, so that creating, comparing and keeping keys allocates nothing.
  public struct PublicKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The length of every key.
    public static let byteCount = 32

    // Big-endian, so that the order of the words is the order of the bytes.
    private let first, second, third, fourth: UInt64

    /// - Parameter bytes: exactly 32 bytes.
    init(whole bytes: Span<UInt8>) {
      (first, second) = (bytes.word(at: 0), bytes.word(at: 8))
      (third, fourth) = (bytes.word(at: 16), bytes.word(at: 24))
    }

    /// Creates a key from 32 bytes; nil for any other length.
    public init?(bytes: Span<UInt8>) {
      guard bytes.count == Self.byteCount else { return nil }
      self.init(whole: bytes)
    }

    /// Creates a key from 32 bytes; nil for any other length.
    public init?(bytes: [UInt8]) { self.init(bytes: bytes.span) }

    /// Reads 64 hexadecimal digits; nil for any other text.
    public init?(hex: some StringProtocol) {
      guard let bytes = Hex.decode(hex) else { return nil }
      self.init(bytes: bytes)
    }

    /// The bytes, in a new array for each access.
    public var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(Self.byteCount)
      for word in [first, second, third, fourth] { bytes.append(word: word) }
      return bytes
    }

    /// The bytes in lower-case hexadecimal.
    public var hex: String { Hex.encode(bytes) }

    /// The same as ``hex``.
    public var description: String { hex }

    /// Orders keys by their bytes.
    public static func < (a: PublicKey, b: PublicKey) -> Bool {
      (a.first, a.second, a.third, a.fourth) < (b.first, b.second, b.third, b.fourth)
    }
  }
}
