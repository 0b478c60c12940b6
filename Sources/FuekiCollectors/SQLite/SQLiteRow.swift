internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A row of a table, whose columns are read on demand.
struct SQLiteRow {
  private struct Column {
    let type: UInt64
    let range: Range<Int>
  }

  private static let columnLimit = 64
  /// The limit of a row's header, above any with the supported columns.
  private static let headLimit = 512
  /// The limit of reading in a row: a damaged one can claim to be longer than the file.
  private static let reach = 8 << 20

  private let database: SQLiteFile
  private let page: SharedSecret
  private let cell: SQLiteFile.Cell
  /// The part of the payload in the page.
  private let local: Range<Int>
  private let byteCount: Int
  private let overflow: UInt32
  private var columns: [Column] = []

  /// Parses the header of a row with a cell at a position in a page.
  init(in database: SQLiteFile, _ page: SharedSecret, at cell: SQLiteFile.Cell) throws {
    self.database = database
    self.page = page
    self.cell = cell
    let usable = database.usableByteCount
    var cursor = cell.start
    let stated = try page.bytes.withBytes { try Self.varint($0, &cursor, end: usable) }
    _ = try page.bytes.withBytes { try Self.varint($0, &cursor, end: usable) }
    guard let count = Int(exactly: stated), count <= 1 << 31, UInt64(count) <= database.byteCount else {
      throw SQLiteFile.Damage()
    }
    byteCount = count
    let most = usable - 35
    var inPage = count
    if count > most {
      let least = (usable - 12) * 32 / 255 - 23
      let fitting = least + (count - least) % (usable - 4)
      inPage = fitting <= most ? fitting : least
    }
    local = cursor..<cursor + inPage
    guard local.upperBound + (inPage < count ? 4 : 0) <= usable else { throw SQLiteFile.Damage() }
    let end = local.upperBound
    overflow = inPage < count ? UInt32(page.bytes.withBytes { $0.number(at: end, byteCount: 4) }) : 0
    columns = try Self.columns(of: try payload(0..<min(count, Self.headLimit)), byteCount: count)
  }

  /// Returns the length of a text or blob; nil for other values.
  func length(_ column: Int) -> Int? {
    guard column < columns.count, columns[column].type >= 12 else { return nil }
    return columns[column].range.count
  }

  /// Returns a public text or blob; nil for other values.
  func bytes(_ column: Int) throws -> [UInt8]? { try secret(column)?.withBytes { $0.copied() } }

  /// Reads a text or blob directly into protected memory; nil for other values.
  func secret(_ column: Int) throws -> SecretBytes? {
    guard length(column) != nil else { return nil }
    return try payload(columns[column].range)
  }

  /// Returns a whole number; nil for other values.
  func integer(_ column: Int) throws -> Int64? {
    guard column < columns.count else { return nil }
    switch columns[column].type {
    case 1...6:
      let bytes = try payload(columns[column].range)
      return bytes.withBytes { bytes in
        var number: Int64 = bytes.count > 0 && bytes[0] & 0x80 != 0 ? -1 : 0
        for index in bytes.indices { number = number << 8 | Int64(bytes[index]) }
        return number
      }
    case 8: return 0
    case 9: return 1
    default: return nil
    }
  }

  /// Reads a range of the payload from the page and its overflow pages.
  private func payload(_ range: Range<Int>) throws -> SecretBytes {
    guard range.upperBound <= min(byteCount, Self.reach) else { throw SQLiteFile.Damage() }
    try database.work.spend(range.count, on: .bytesRead)
    var wanted = try SecretBytes(count: range.count)
    Self.copy(page, local, holding: 0, of: range, into: &wanted)
    var (next, offset, index) = (overflow, local.count, 0)
    while offset < range.upperBound {
      let page = SharedSecret(try database.overflowPage(next, of: cell, at: index))
      index += 1
      let count = min(database.usableByteCount - 4, byteCount - offset)
      Self.copy(page, 4..<4 + count, holding: offset, of: range, into: &wanted)
      offset += count
      next = UInt32(page.bytes.withBytes { $0.number(at: 0, byteCount: 4) })
    }
    return wanted
  }

  /// Copies the overlap of a page with a range of the payload.
  private static func copy(
    _ page: SharedSecret, _ place: Range<Int>, holding offset: Int, of range: Range<Int>,
    into wanted: inout SecretBytes
  ) {
    let both = range.clamped(to: offset..<offset + place.count)
    page.bytes.withBytes { page in
      wanted.withMutableBytes { wanted in
        for index in both {
          wanted[index - range.lowerBound] = page[place.lowerBound + index - offset]
        }
      }
    }
  }

  private static func columns(of head: borrowing SecretBytes, byteCount: Int) throws -> [Column] {
    try head.withBytes { head in
      var cursor = 0
      let stated = try varint(head, &cursor, end: head.count)
      guard let end = Int(exactly: stated), end <= head.count else { throw SQLiteFile.Damage() }
      var columns: [Column] = []
      var offset = end
      while cursor < end {
        let type = try varint(head, &cursor, end: end)
        guard let count = length(type), columns.count < columnLimit, count <= byteCount - offset else {
          throw SQLiteFile.Damage()
        }
        columns.append(Column(type: type, range: offset..<offset + count))
        offset += count
      }
      return columns
    }
  }

  private static func length(_ type: UInt64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 10, 11: nil
    default: Int(exactly: (type - 12) / 2)
    }
  }

  private static func varint(_ bytes: Span<UInt8>, _ cursor: inout Int, end: Int) throws -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<9 {
      guard cursor < end else { throw SQLiteFile.Damage() }
      let byte = bytes[cursor]
      cursor += 1
      if index == 8 { return number << 8 | UInt64(byte) }
      number = number << 7 | UInt64(byte & 0x7f)
      if byte & 0x80 == 0 { break }
    }
    return number
  }
}
