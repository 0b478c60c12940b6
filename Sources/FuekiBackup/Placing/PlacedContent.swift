/// The kind of a file's content, as far as its place depends on it.
public enum PlacedContent: Sendable {
  /// It begins like a database of SQLite or Berkeley DB.
  case database
  /// It begins in another way.
  case other
  /// It was not read.
  case unread

  private static let sqlite = Array("SQLite format 3\0".utf8)
  /// The offset of the magic number of Berkeley DB, and the number of a tree in both byte orders.
  private static let berkeleyOffset = 12
  private static let berkeley: [[UInt8]] = [[0x62, 0x31, 0x05, 0x00], [0x00, 0x05, 0x31, 0x62]]

  /// Recognises the beginning of a file.
  package init(beginning: Span<UInt8>) {
    let isSQLite = Self.has(Self.sqlite, beginning, at: 0)
    let isBerkeley = Self.berkeley.contains { Self.has($0, beginning, at: Self.berkeleyOffset) }
    self = isSQLite || isBerkeley ? .database : .other
  }

  private static func has(_ mark: [UInt8], _ bytes: Span<UInt8>, at offset: Int) -> Bool {
    guard bytes.count >= offset + mark.count else { return false }
    return mark.indices.allSatisfy { bytes[offset + $0] == mark[$0] }
  }
}
