internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A SQLite database that nobody writes, read page by page.
///
/// Not through SQLite, because what wallets keep in their rows are secrets: they go from the file straight into protected
/// memory, and no damaged page does more than end the reading. See https://www.sqlite.org/fileformat2.html.
///
/// Every page belongs to one place: a page that a table has twice, a cell that a page has twice, and an overflow page of
/// two rows or of one row twice are damage. So no file makes its reader read more than it has.
final class SQLiteFile {
  /// A row's place: the number of its page, and where its cell begins.
  struct Cell: Hashable {
    let page: UInt32
    let start: Int
  }

  /// The database cannot be read: it is none, or its pages contradict one another.
  struct Damage: Error {}

  /// What programs write into the header to say whose database it is.
  let applicationID: UInt32

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let depthLimit = 20

  private let file: CopiedFile
  private let pageByteCount: Int
  /// The bytes of a page that hold anything.
  let usableByteCount: Int
  private let pageCount: UInt64
  /// The bytes of the file, which no row has more of.
  var byteCount: UInt64 { pageCount * UInt64(pageByteCount) }
  /// The budget of the source.
  let work: WorkBudget
  /// The row that an overflow page is part of, and which of the row's it is.
  private var owners: [UInt32: (cell: Cell, index: Int)] = [:]

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - file: the database.
  ///   - work: the budget of its source.
  /// - Throws: ``Damage``, or what the system refuses.
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
    // The pages that the header counts, where the last writer kept the count.
    let counted = header[28..<32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard counted <= pageCount || header[24..<28] != header[92..<96] else { throw Damage() }
  }

  /// Whether a table is there.
  func hasTable(_ name: String) throws -> Bool { try root(of: name) != nil }

  /// Gives every row of a table to a closure, in the order of their numbers; none where there is no such table.
  ///
  /// - Throws: ``Damage``, what the system refuses, and what the closure throws.
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

  /// An overflow page's bytes.
  ///
  /// - Parameters:
  ///   - number: the page.
  ///   - cell: the row that it is of.
  ///   - index: which of the row's overflow pages it is.
  /// - Returns: the whole page.
  /// - Throws: ``Damage`` for a page of another row, and for one that the row has before.
  func overflowPage(_ number: UInt32, of cell: Cell, at index: Int) throws -> SecretBytes {
    if let owner = owners[number] {
      guard owner.cell == cell, owner.index == index else { throw Damage() }
    } else {
      owners[number] = (cell, index)
    }
    return try page(number)
  }

  /// A page's bytes; pages are counted from 1.
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
  /// A big-endian number of at most seven bytes.
  func number(at place: Int, byteCount: Int) -> Int {
    var number = 0
    for index in place..<place + byteCount { number = number << 8 | Int(self[index]) }
    return number
  }
}
