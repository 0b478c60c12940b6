internal import FuekiCrypto
internal import FuekiSystem

/// A SQLite database that nobody writes, read page by page.
///
/// Not through SQLite, because what wallets keep in their rows are secrets: they go from the file straight into protected
/// memory, and no damaged page does more than end the reading. See https://www.sqlite.org/fileformat2.html.
final class SQLiteFile {
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

  /// Reads the header.
  ///
  /// - Throws: ``Damage``, or what the system refuses.
  init(_ file: CopiedFile) throws {
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
    // No page is part of a table twice, so more pages than there are can only be a circle.
    var visits: UInt64 = 0
    try walk(root, depth: 0, &visits, body)
  }

  private func walk(
    _ number: UInt32, depth: Int, _ visits: inout UInt64, _ body: (SQLiteRow) throws -> Void
  ) throws {
    visits += 1
    guard depth < Self.depthLimit, visits <= pageCount else { throw Damage() }
    let page = SharedSecret(try self.page(number))
    let start = number == 1 ? 100 : 0
    let (kind, cellCount) = page.bytes.withBytes { ($0[start], $0.number(at: start + 3, byteCount: 2)) }
    let isLeaf = kind == 13
    guard isLeaf || kind == 5 else { throw Damage() }
    let pointers = start + (isLeaf ? 8 : 12)
    guard pointers + 2 * cellCount <= usableByteCount else { throw Damage() }
    for index in 0..<cellCount {
      let place = page.bytes.withBytes { $0.number(at: pointers + 2 * index, byteCount: 2) }
      guard place >= pointers + 2 * cellCount, place + 4 <= usableByteCount else { throw Damage() }
      if isLeaf {
        try body(try SQLiteRow(in: self, page, at: place))
      } else {
        let child = page.bytes.withBytes { $0.number(at: place, byteCount: 4) }
        try walk(UInt32(child), depth: depth + 1, &visits, body)
      }
    }
    guard !isLeaf else { return }
    let last = page.bytes.withBytes { $0.number(at: start + 8, byteCount: 4) }
    try walk(UInt32(last), depth: depth + 1, &visits, body)
  }

  /// A page's bytes; pages are counted from 1.
  func page(_ number: UInt32) throws -> SecretBytes {
    guard number > 0, UInt64(number) <= pageCount else { throw Damage() }
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
