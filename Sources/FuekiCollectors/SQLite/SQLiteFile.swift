internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

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
  ///
  /// - Parameters:
  ///   - file: the database.
  ///   - work: the source's budget.
  /// - Throws: ``Damage``, or errors of the system.
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
  ///
  /// - Throws: ``Damage``, errors of the system, and those of `body`.
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
  /// - Parameters:
  ///   - number: the page.
  ///   - cell: its row.
  ///   - index: its index among the row's overflow pages.
  /// - Returns: the whole page.
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
