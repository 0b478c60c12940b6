import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The file in which a machine remembers the structures of a remote's archives.
struct StructureFileTests {
  private static let heading = StructureFile.Heading(hasChecksums: true, asked: 1_800_000_000)

  private static func record(_ number: Int, pieces: Int = 2, bytes: Int = 300) -> StructureRecord {
    let key = SHA256.hash([UInt8(number)])
    let head = StructureRecord.Head(key: key, tag: SHA256.hash([1, UInt8(number)]), time: 1_800_000_001)
    let contents = (0..<pieces).map { piece in
      let bytes = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 * 31 + number + piece) }
      return StructureRecord.Piece(start: UInt64(piece * 100_000), bytes: bytes)
    }
    return StructureRecord(head, contents)
  }

  private func write(_ records: [StructureRecord], _ folder: borrowing TemporaryDirectory) throws {
    try StructureFile.write(Self.heading, in: folder.open(), as: "file", count: records.count) { records[$0] }
  }

  private func replace(_ bytes: [UInt8], _ folder: borrowing TemporaryDirectory) throws {
    try folder.open().remove("file")
    try folder.write(bytes, to: "file")
  }

  private func open(_ folder: borrowing TemporaryDirectory) throws -> StructureFile? {
    StructureFile(try File.open(folder.path("file")))
  }

  @Test func `each record is read as it was written`() throws {
    let folder = try TemporaryDirectory()
    let records = (0..<20).map { Self.record($0) }
    try write(records, folder)
    let file = try #require(try open(folder))
    #expect(file.heading == Self.heading)
    #expect(file.keys == Set(records.map(\.head.key)))
    for record in records {
      let found = try #require(file.record(of: record.head.key))
      #expect(file.head(of: record.head.key) == record.head)
      #expect(found.head == record.head && found.pieces == record.pieces)
    }
    #expect(file.record(of: .zero) == nil)
  }

  @Test func `a structure that is too long is not recorded`() throws {
    #expect(Self.record(0, pieces: 1, bytes: 65_000).encoded != nil)
    #expect(Self.record(0, pieces: 1, bytes: 66_000).encoded == nil)
  }

  @Test func `a damaged file never returns other bytes`() throws {
    let folder = try TemporaryDirectory()
    let records = (0..<3).map { Self.record($0, bytes: 20) }
    try write(records, folder)
    let whole = try folder.read("file")
    func check() throws {
      guard let file = try open(folder) else { return }
      for record in records {
        guard let found = file.record(of: record.head.key) else { continue }
        #expect(found.head == record.head && found.pieces == record.pieces)
      }
    }
    for position in whole.indices {
      for bit in [0, 7] {
        var bytes = whole
        bytes[position] ^= 1 << bit
        try replace(bytes, folder)
        try check()
      }
      try replace(Array(whole.prefix(position)), folder)
      try check()
    }
  }

  @Test func `the records before a malformed one are found`() throws {
    let folder = try TemporaryDirectory()
    let records = (0..<3).map { Self.record($0) }
    try write(records, folder)
    let whole = try folder.read("file")
    try replace(Array(whole.dropLast(10)), folder)
    let file = try #require(try open(folder))
    #expect(file.keys == Set(records.prefix(2).map(\.head.key)))
  }
}
