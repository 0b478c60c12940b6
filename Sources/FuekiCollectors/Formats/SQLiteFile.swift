internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A static SQLite database, read page by page.
///
/// SQLite itself is not used because wallets' rows contain secrets: they are read from the file directly into
/// protected memory, and damaged pages can only end the reading. See https://www.sqlite.org/fileformat2.html.
///
/// Every page has a single owner: a page used twice by a table, a cell used twice by a page, and an overflow
/// page used twice by rows are damage. A file therefore cannot cause more reading than its size.
final class SQLiteFile {
  /// A row's position: its page number and the start of its cell.
  struct Cell: Hashable {
    let page: UInt32
    let start: Int
  }

  /// The file is not a database, or its pages are inconsistent.
  struct Damage: Error {}

  /// The application id in the header.
  let applicationID: UInt32

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let depthLimit = 20

  private let file: CopiedFile
  private let pageByteCount: Int
  /// The usable bytes of a page.
  let usableByteCount: Int
  private let pageCount: UInt64
  /// The file's length, which also limits a row's.
  var byteCount: UInt64 { pageCount * UInt64(pageByteCount) }
  /// The source's budget.
  let work: WorkBudget
  /// The row to which an overflow page belongs, and its index there.
  private var owners: [UInt32: (cell: Cell, index: Int)] = [:]

  /// Reads the header.
  init(_ file: CopiedFile, work: WorkBudget) throws {
    work.admit(input: file.byteCount)
    self.work = work
    let header = try file.file.readExactly(min(100, Int(clamping: file.byteCount)), at: 0)
    guard header.count == 100, header.starts(with: Self.magic) else { throw Damage() }
    let stated = Int(header[16]) << 8 | Int(header[17])
    let size = stated == 1 ? 65_536 : stated
    let usable = size - Int(header[20])
    guard 512...65_536 ~= size, size & (size - 1) == 0, usable >= 480,
      file.byteCount % UInt64(size) == 0
    else { throw Damage() }
    self.file = file
    pageByteCount = size
    usableByteCount = usable
    pageCount = file.byteCount / UInt64(size)
    applicationID = header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
    // The page count in the header, if the last writer maintained it.
    let counted = header[28..<32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard counted <= pageCount || header[24..<28] != header[92..<96] else { throw Damage() }
  }

  /// Whether a table exists.
  func hasTable(_ name: String) throws -> Bool { try root(of: name) != nil }

  /// Passes every row of a table to `body`, in the order of row ids, if the table exists.
  func forEachRow(of table: String, _ body: (SQLiteRow) throws -> Void) throws {
    guard let root = try root(of: table) else { return }
    try walk(root, body)
  }

  private func root(of table: String) throws -> UInt32? {
    let wanted = Array(table.utf8)
    var root: UInt32?
    try walk(1) { row in
      guard try row.bytes(0) == Array("table".utf8), try row.bytes(1) == wanted else { return }
      root = try row.integer(3).flatMap { UInt32(exactly: $0) }
    }
    return root
  }

  private func walk(_ root: UInt32, _ body: (SQLiteRow) throws -> Void) throws {
    var seen: Set<UInt32> = []
    try walk(root, depth: 0, &seen, body)
  }

  private func walk(
    _ number: UInt32, depth: Int, _ seen: inout Set<UInt32>, _ body: (SQLiteRow) throws -> Void
  ) throws {
    guard depth < Self.depthLimit, seen.insert(number).inserted else { throw Damage() }
    let page = SharedSecret(try self.page(number))
    let start = number == 1 ? 100 : 0
    let (kind, cellCount) = page.bytes.withBytes { ($0[start], $0.number(at: start + 3, byteCount: 2)) }
    let isLeaf = kind == 13
    guard isLeaf || kind == 5 else { throw Damage() }
    let pointers = start + (isLeaf ? 8 : 12)
    guard pointers + 2 * cellCount <= usableByteCount else { throw Damage() }
    var places: Set<Int> = []
    for index in 0..<cellCount {
      let place = page.bytes.withBytes { $0.number(at: pointers + 2 * index, byteCount: 2) }
      guard place >= pointers + 2 * cellCount, place + 4 <= usableByteCount, places.insert(place).inserted
      else { throw Damage() }
      try work.spend(1, on: .visits)
      if isLeaf {
        try body(try SQLiteRow(in: self, page, at: Cell(page: number, start: place)))
      } else {
        let child = page.bytes.withBytes { $0.number(at: place, byteCount: 4) }
        try walk(UInt32(child), depth: depth + 1, &seen, body)
      }
    }
    guard !isLeaf else { return }
    let last = page.bytes.withBytes { $0.number(at: start + 8, byteCount: 4) }
    try walk(UInt32(last), depth: depth + 1, &seen, body)
  }

  /// Reads an overflow page.
  ///
  /// - Throws: ``Damage`` if it belongs to another row, or occurs twice in this one.
  func overflowPage(_ number: UInt32, of cell: Cell, at index: Int) throws -> SecretBytes {
    if let owner = owners[number] {
      guard owner.cell == cell, owner.index == index else { throw Damage() }
    } else {
      owners[number] = (cell, index)
    }
    return try page(number)
  }

  /// Reads a page.
  ///
  /// Pages are counted from 1.
  func page(_ number: UInt32) throws -> SecretBytes {
    guard number > 0, UInt64(number) <= pageCount else { throw Damage() }
    try work.spend(pageByteCount, on: .bytesRead)
    let offset = UInt64(number - 1) * UInt64(pageByteCount)
    var page = try SecretBytes(count: pageByteCount)
    let read = try page.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try file.file.pread(into: &bytes, at: offset)
    }
    guard read == pageByteCount else { throw Damage() }
    return page
  }
}

extension Span<UInt8> {
  /// Returns a big-endian number of at most seven bytes.
  func number(at place: Int, byteCount: Int) -> Int {
    var number = 0
    for index in place..<place + byteCount { number = number << 8 | Int(self[index]) }
    return number
  }
}

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
