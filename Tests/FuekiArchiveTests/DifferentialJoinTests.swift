import FuekiArchive
import FuekiCrypto
import FuekiSystem
import Synchronization
import TestSupport
import Testing

@Suite struct DifferentialJoinTests {
  /// Returns records with ids, some of them equal, without ids, and some that are not messages.
  private static func records(_ generator: inout TestSupport.RandomSource) -> [[UInt8]] {
    (0..<Int.random(in: 0...120, using: &generator)).map { _ in
      let value = UInt8.random(in: 0...9, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return [0x10, value]
      case 1: return generator.bytes(Int.random(in: 0...3, using: &generator))
      default:
        let id = UInt8.random(in: 0...80, using: &generator)
        return [0x0A, 2, 7, id, 0x12, 1, id / 2, 0x18, value]
      }
    }
  }

  /// Evolves a history: inserts, changes, removes, duplicates and reorders records.
  private static func evolve(_ records: [[UInt8]], _ generator: inout TestSupport.RandomSource) -> [[UInt8]] {
    var next: [[UInt8]] = []
    for record in records {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: break
      case 1: next.append(record + [0x18, UInt8.random(in: 0...127, using: &generator)])
      case 2: next += [record, record]
      default: next.append(record)
      }
    }
    next += Self.records(&generator).prefix(Int.random(in: 0...20, using: &generator))
    if Bool.random(using: &generator) { next.shuffle(using: &generator) }
    return next
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a differential archive and its base are the new history, record by record`(_ seed: UInt64) throws {
    var generator = random(seed)
    var old: SampleHistory = [:]
    var new: SampleHistory = [:]
    for section: UInt16 in [32, 33, 45, 61] {
      old[section] = Bool.random(using: &generator) ? Self.records(&generator) : []
      new[section] = Self.evolve(old[section] ?? [], &generator)
      if Int.random(in: 0..<6, using: &generator) == 0 { new[section] = [] }
    }
    let pair = try SamplePair(from: old, to: new, seed: seed)
    let joined = try pair.joined()
    try joined.checkContents()
    let found = try joined.history().mapValues { $0.sorted(by: lessInBytes) }
    let expected = new.filter { !$0.value.isEmpty }.mapValues { $0.sorted(by: lessInBytes) }
    #expect(found == expected)
    #expect(joined.joinedBase == pair.reference)
    for section in joined.sections where Changes.sectionIDs.contains(section.id) {
      #expect(section.records == UInt64(new[section.id]?.count ?? 0))
    }
  }

  private static let old: SampleHistory = [32: (0..<300).map(FieldRecords.transaction), 38: [[0x0A, 1, 1]]]
  private static let new: SampleHistory = [32: (5..<310).map(FieldRecords.transaction), 38: [[0x0A, 1, 1]]]

  @Test func `without its base no record of a history comes out`() throws {
    let pair = try SamplePair(from: Self.old, to: Self.new)
    let alone = try pair.alone()
    #expect(alone.missingBase == pair.reference)
    #expect(throws: ArchiveError.baseMissing(pair.reference)) { _ = try alone.whole() }
    #expect(throws: ArchiveError.baseMissing(pair.reference)) { _ = try pair.archive.opened() }
    #expect(throws: ArchiveError.baseMissing(pair.reference)) {
      _ = try alone.joined(with: SamplePair.secrets, bases: { _ in [] })
    }
    let rest = alone.withoutHistory()
    #expect(rest.scopes == [.profile, .secrets] && rest.sections.map(\.id) == [1])
    try alone.checkContents()
  }

  @Test func `what is said of the result is held to`() throws {
    func expect(_ expected: ArchiveError?, altering alter: (inout Changes) -> Void) throws {
      let pair = try SamplePair(from: Self.old, to: Self.new, altering: alter)
      var found: ArchiveError?
      do {
        try pair.joined().checkContents()
      } catch let error as ArchiveError { found = error }
      #expect(found == expected)
    }
    try expect(nil) { _ in }
    try expect(.forged(.result(section: 32))) { $0.sections[0].records += 1 }
    try expect(.forged(.result(section: 32))) { $0.sections[0].setDigest = .zero }
    try expect(.forged(.result(section: 38))) { $0.sections[1].removed = [[0, 9]] }
    try expect(.forged(.result(section: 32))) { $0.sections[0].removed.removeFirst() }
    try expect(.forged(.result(section: 38))) { $0.sections.removeLast() }
    try expect(.forged(.changes)) { $0.sections.removeFirst() }
  }

  @Test func `a reader that asks for one section alone is told, too`() throws {
    let pair = try SamplePair(from: Self.old, to: Self.new) { $0.sections[0].records -= 1 }
    let joined = try pair.joined()
    #expect(throws: ArchiveError.forged(.result(section: 32))) {
      _ = try joined.readRecords(of: 32, map: { _ in }, body: { _ in })
    }
    _ = try joined.readRecords(of: 38, map: { _ in }, body: { _ in })
  }

  /// A replaced record of the base is still checked and counted.
  @Test func `the base's records are read once, and each is judged`() throws {
    var generator = random(5)
    func record(_ id: Int) -> [UInt8] {
      [0x0A, 2, UInt8(id / 256), UInt8(id % 256), 0x12, 0x80, 0x20] + generator.bytes(4096)
    }
    let old = (0..<300).map(record)
    let pair = try SamplePair(from: [38: old], to: [38: old.dropFirst(9) + [record(10), record(400)]])
    let counting = try CountingSource(pair.base.folder.path("archive"))
    let joined = try pair.alone().joined(
      with: SamplePair.secrets, bases: { _ in [ArchiveFile(counting)] })
    let before = counting.bytesRead
    let judged = Mutex(0)
    try joined.checkJoin(judging: { section, _ in
      if section == 38 { judged.withLock { $0 += 1 } }
    })
    #expect(judged.withLock { $0 } == 300)
    let (read, size) = (counting.bytesRead - before, try counting.byteCount())
    #expect(read < size + size / 4, "\(read) of \(size) bytes")
  }

  @Test func `what is wrong with the base itself comes before what the two come to`() throws {
    let pair = try SamplePair(from: Self.old, to: Self.new) { $0.sections[0].setDigest = .zero }
    let joined = try pair.joined()
    #expect(throws: ArchiveError.inBase(pair.reference, .forged(.records(section: 38)))) {
      try joined.checkJoin(judging: { section, _ in
        guard section != 38 else { throw ArchiveError.forged(.records(section: 38)) }
      })
    }
    #expect(throws: ArchiveError.forged(.result(section: 32))) { try joined.checkJoin() }
  }

  @Test func `carried into another file, the two are a full archive`() throws {
    let pair = try SamplePair(from: Self.old, to: Self.new)
    let joined = try pair.joined()
    let full = try SampleArchive { writer in
      for section in joined.sections where section.id != 1 {
        try writer.carry(section: section.id, from: joined)
      }
    }
    let open = try full.opened()
    try open.checkContents()
    #expect(open.facts.base == nil && open.sections.map(\.id) == [1, 32, 38])
    #expect(try open.history() == joined.history())
  }

  @Test func `what is lost of either file is told, and the rest comes back`() throws {
    let pair = try SamplePair(from: Self.old, to: Self.new)
    let path = pair.base.folder.path("archive")
    var bytes = try pair.base.bytes()
    // The first chunk of the base's history, after the header and the profile's four chunks.
    bytes[4 * Limits.chunkBytes + 1000] ^= 1
    try pair.base.folder.open().remove("archive")
    try pair.base.folder.write(bytes, to: "archive")
    let base = { @Sendable in [ArchiveFile(try File.open(path))] }
    #expect(throws: ArchiveError.inBase(pair.reference, .damaged(.chunk(stream: .history, chunk: 0)))) {
      _ = try pair.joined()
    }
    let intact = try #require(try pair.archive.stored().verify().intact)
    let salvaged = try intact.forSalvage.salvage(with: SamplePair.secrets, bases: { _ in try base() })
    #expect(salvaged.history == .joined(pair.reference))
    var found: [[UInt8]] = []
    let loss = try salvaged.readRecords(of: 32) { block in
      block.messages.map { Array(block.bytes[$0]) }
    } body: {
      found += $0
    }
    let lost = try #require(loss)
    #expect(lost.lostRecords > 0)
    #expect(found.allSatisfy { record in Self.new[32]?.contains(record) == true })
    // Without the base, the archive's own records are returned.
    let alone = try intact.forSalvage.salvage(with: SamplePair.secrets, bases: { _ in [] })
    #expect(alone.history == .withoutBase(pair.reference))
    #expect(try alone.history()[32]?.count == 10)
  }

  @Test func `a full archive has no changes, and a differential one has them`() throws {
    let changes = SampleSection(Changes.sectionID, messages: [Changes([]).encoded])
    #expect(throws: ArchiveError.forged(.changes)) { _ = try SampleArchive([changes]).opened() }
    let base = BaseReference(digest: SHA256.hash([1]), sequence: 1)
    #expect(throws: ArchiveError.forged(.changes)) { _ = try SampleArchive(sequence: 2, base: base).opened() }
  }
}

/// A file that counts the bytes read from it.
private final class CountingSource: ArchiveSource {
  private let file: File
  private let count = Mutex<UInt64>(0)

  init(_ path: String) throws { file = try File.open(path) }

  var bytesRead: UInt64 { count.withLock { $0 } }

  func byteCount() throws(SystemError) -> UInt64 { try file.size() }

  func read(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let length = try file.pread(into: &bytes, at: offset)
    bytes.removeSubrange(length...)
    self.count.withLock { $0 += UInt64(length) }
    return bytes
  }

  func gather(progress: (UInt64) throws -> Void) throws { try progress(try file.size()) }
}
