internal import FuekiCrypto

/// The 16 random bytes that name a vault: drawn once, and in the header of each of its archives.
///
/// They are held as two words, so that making, comparing and keeping ids allocates nothing.
public struct VaultID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The length of every id.
  public static let byteCount = 16

  // Big-endian, so that the order of the words is the order of the bytes.
  private let first, second: UInt64

  package init(words: (UInt64, UInt64)) { (first, second) = words }

  /// - Parameter bytes: 16 of them.
  private init(whole bytes: Span<UInt8>) {
    self.init(words: (bytes.word(at: 0), bytes.word(at: 8)))
  }

  /// Takes 16 bytes; nil for any other number of them.
  public init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(whole: bytes)
  }

  /// Takes 16 bytes; nil for any other number of them.
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

  /// The bytes, in an array made anew by every access.
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
