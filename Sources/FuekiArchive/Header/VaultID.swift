internal import FuekiCrypto

/// A vault's 16 random bytes, drawn once and present in the header of each of its archives.
///
/// Stored as two words, so that creating, comparing and keeping ids allocates nothing.
public struct VaultID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The length of every id.
  public static let byteCount = 16

  // Big-endian, so that the order of the words is the order of the bytes.
  private let first, second: UInt64

  package init(words: (UInt64, UInt64)) { (first, second) = words }

  /// - Parameter bytes: exactly 16 bytes.
  private init(whole bytes: Span<UInt8>) {
    self.init(words: (bytes.word(at: 0), bytes.word(at: 8)))
  }

  /// Creates an id from 16 bytes; nil for any other length.
  init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(whole: bytes)
  }

  /// Creates an id from 16 bytes; nil for any other length.
  public init?(bytes: [UInt8]) { self.init(bytes: bytes.span) }

  /// Reads 32 hexadecimal digits; nil for any other text.
  public init?(hex: some StringProtocol) {
    guard let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes: bytes)
  }

  /// Draws the id of a new vault.
  public static func random() -> VaultID {
    let bytes = RandomBytes.bytes(byteCount)
    return VaultID(whole: bytes.span)
  }

  /// The bytes, in a new array for each access.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    bytes.append(word: first)
    bytes.append(word: second)
    return bytes
  }

  /// The bytes in lower-case hexadecimal.
  public var hex: String { Hex.encode(bytes) }

  /// The same as ``hex``.
  public var description: String { hex }

  /// Orders ids by their bytes.
  public static func < (a: VaultID, b: VaultID) -> Bool { (a.first, a.second) < (b.first, b.second) }
}
