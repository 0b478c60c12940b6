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

/// Whether a file may go to a place below a home directory.
public enum HomeAnswer: Equatable, Sendable {
  /// It may: the place or the name is a wallet's, or one of a document that no tool obeys.
  case open
  /// Its name is one of data, and tools take commands from files with such names: it may go to a new folder only.
  case newFolder
  /// It is no wallet's file: the user decides, and it may go to a new folder only.
  ///
  /// The folder is the place's first names, as many as stated.
  case own(folder: Int)
  /// It may not.
  case closed
}

/// The reason for writing a file next to its place instead of into it.
public enum HoldReason: String, Sendable, CaseIterable {
  /// It holds Lightning channels.
  case channels = "lightning-channels"
  /// It is a static backup of Lightning channels, which closes them all.
  case channelBackup = "channel-backup"
  /// It is a validator's key.
  case validatorKey = "validator-key"
  /// It records the messages that a validator has signed.
  case slashingRecord = "slashing-record"

  /// The suffix of a file that is kept away from its program.
  package static let suffix = ".fueki-hold"
}
